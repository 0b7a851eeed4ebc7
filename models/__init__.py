"""What a network sees: weights, adapters, small trained heads; knows nothing of Mafia."""
