"""GLSL of the studio. One program per material: a software rasteriser pays for every branch it holds."""

from __future__ import annotations

VERTEX = """#version 330
in vec3 pos; in vec3 nor; in vec3 rest; in vec4 att;
uniform mat4 view; uniform mat4 sun;
out vec3 P; out vec3 N; out vec3 R; out vec4 A; out vec4 S;
void main() { P = pos; N = nor; R = rest; A = att; S = sun * vec4(pos, 1); gl_Position = view * vec4(pos, 1); }
"""

COMMON = """#version 330
in vec3 P; in vec3 N; in vec3 R; in vec4 A; in vec4 S;
out vec4 colour;
uniform vec3 c1; uniform vec3 c2; uniform int pattern; uniform vec3 eye; uniform sampler2DShadow shade;
uniform vec3 lamps[3]; uniform vec3 power[3]; uniform vec3 sky; uniform vec3 ground; uniform float exposure;
float hash(vec3 p) { p = fract(p * 0.3183099 + 0.1) * 17.0; return fract(p.x * p.y * p.z * (p.x + p.y + p.z)); }
float value(vec3 x) {
  vec3 i = floor(x), f = fract(x); f = f * f * (3.0 - 2.0 * f);
  return mix(mix(mix(hash(i), hash(i + vec3(1,0,0)), f.x), mix(hash(i + vec3(0,1,0)), hash(i + vec3(1,1,0)), f.x), f.y),
             mix(mix(hash(i + vec3(0,0,1)), hash(i + vec3(1,0,1)), f.x), mix(hash(i + vec3(0,1,1)), hash(i + vec3(1,1,1)), f.x), f.y), f.z);
}
float cloud(vec3 p) { return 0.6 * value(p) + 0.4 * value(p * 2.3); }
vec3 bumped(vec3 n, float height, float amount) {
  vec3 dx = dFdx(P), dy = dFdy(P), a = cross(dy, n), b = cross(n, dx); float d = dot(dx, a);
  if (abs(d) < 1e-12) return n;
  return normalize(abs(d) * n - amount * sign(d) * (dFdx(height) * a + dFdy(height) * b));
}
void main() {
  vec3 n = normalize(N), v = normalize(eye - P); if (dot(n, v) < 0.0) n = -n;
  vec3 c = c1; float gloss = 12.0, shine = 0.10, wrap = 0.0; float t;
"""

MATERIAL = {
    0: """
  t = cloud(R * 28.0); c = mix(c, c * vec3(0.86, 0.76, 0.72), smoothstep(0.35, 0.75, t));
  c = mix(c, c1 * vec3(1.02, 0.66, 0.62), A.z);
  c = mix(c, c1 * vec3(0.78, 0.46, 0.45), min(A.y, 1.0)); c = mix(c, vec3(0.02, 0.006, 0.006), smoothstep(1.2, 1.8, A.y));
  c = mix(c, c2, smoothstep(0.25, 0.75, A.x)); gloss = 22.0; shine = 0.16; wrap = 0.25;
""",
    1: """
  t = cloud(R * 14.0); c = mix(c, c * 0.86, smoothstep(0.4, 0.7, t));
  if (pattern == 1) c = mix(c, c2, smoothstep(-0.1, 0.1, sin(R.z * 180.0)));
  if (pattern == 2) { c = mix(c, c2, 0.5 * step(0.4, sin(R.x * 120.0))); c = mix(c, c2, 0.5 * step(0.4, sin(R.z * 120.0))); }
  t = cloud(R * vec3(9.0, 9.0, 22.0)); n = bumped(n, t, 0.020); shine = 0.02; gloss = 6.0; c *= 0.84 + 0.28 * t;
""",
    2: """
  t = value(R * vec3(240.0, 150.0, 13.0)); c = mix(c * 0.55, min(c * 1.5, vec3(1)), t); n = bumped(n, t, 0.003); shine = 0.14; gloss = 18.0;
""",
    3: """
  c = mix(vec3(0.74, 0.70, 0.67), c1, 1.0 - smoothstep(0.46, 0.50, A.w)); c = mix(c, vec3(0.004), 1.0 - smoothstep(0.20, 0.23, A.w));
  gloss = 90.0; shine = 0.5;
""",
    4: "",
    5: """
  t = cloud(P * 3.0); c *= 1.0 - 0.08 * smoothstep(0.4, 0.7, t); t = value(P * 260.0); c *= 0.96 + 0.08 * t; shine = 0.02;
""",
}

SHADING = """
  vec3 s3 = S.xyz / S.w * 0.5 + 0.5; float lit = 0.0;
  for (int i = 0; i < 4; i++) lit += texture(shade, vec3(s3.xy + vec2(i % 2 - 0.5, i / 2 - 0.5) * 0.0022, s3.z - 0.0012));
  lit *= 0.25;
  vec3 sum = mix(ground, sky, 0.5 + 0.5 * n.z) * c * mix(0.60, 1.0, lit);
  for (int i = 0; i < 3; i++) {
    vec3 d = lamps[i] - P; float r2 = dot(d, d); d = normalize(d);
    float front = max(0.0, dot(n, d)), soft = max(0.0, (dot(n, d) + wrap) / (1.0 + wrap));
    vec3 diffuse = c * (wrap > 0.0 ? mix(vec3(front), vec3(soft), vec3(1.0, 0.6, 0.5)) : vec3(front));
    float spark = pow(max(dot(n, normalize(d + v)), 0.0), gloss) * shine * step(0.0, dot(n, d));
    sum += power[i] / r2 * (diffuse + spark) * mix(i == 2 ? 0.25 : 0.50, 1.0, lit);
  }
  sum *= exposure; sum = sum * (2.51 * sum + 0.03) / (sum * (2.43 * sum + 0.59) + 0.14);
  colour = vec4(pow(clamp(sum, 0.0, 1.0), vec3(1.0 / 2.2)), 1.0);
}
"""

DEPTH_VERTEX = (
    "#version 330\nin vec3 pos; uniform mat4 view; void main() { gl_Position = view * vec4(pos, 1); }"
)
DEPTH_FRAGMENT = "#version 330\nvoid main() {}"

MARK_VERTEX = """#version 330
in vec3 pos; in vec4 att; uniform mat4 view; out float W;
void main() { W = att.w; gl_Position = view * vec4(pos, 1); }
"""
MARK_FRAGMENT = """#version 330
in float W; out vec4 colour; uniform int hand; uniform int only;
void main() { float w = floor(W + 0.5); if (only == 1 && (hand == 0 || w < 0.5)) discard; colour = vec4(hand == 1 ? w / 255.0 : 0.0, 0, 0, 1); }
"""


def fragment(material: int) -> str:
    """The whole fragment shader of a material (numbers as in bodies.wardrobe)."""
    return COMMON + MATERIAL[material] + SHADING
