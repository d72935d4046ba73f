#include "web/platform/gl_renderer.h"

#include <GLES3/gl3.h>

#include <algorithm>
#include <cstddef>

namespace hotkv::platform {

namespace {

constexpr const char* kVertexShader = R"(#version 300 es
uniform vec2 scale; uniform vec2 shift;
layout(location=0) in vec2 position; layout(location=1) in vec2 uv; layout(location=2) in vec4 tint;
out vec2 at; out vec4 color;
void main() { at = uv; color = tint; gl_Position = vec4(position * scale + shift, 0.0, 1.0); })";

// The atlas has one channel: how much of the colour is there.
constexpr const char* kFragmentShader = R"(#version 300 es
precision mediump float;
uniform sampler2D atlas;
in vec2 at; in vec4 color;
out vec4 pixel;
void main() { float a = color.a * texture(atlas, at).r; pixel = vec4(color.rgb * a, a); })";

GLuint shader_of(GLenum type, const char* source) {
  GLuint shader = glCreateShader(type);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  return shader;
}

}  // namespace

void GlRenderer::forget() {
  program_ = buffer_ = elements_ = vertices_ = texture_ = 0;
  fonts_stale_ = true;
}

bool GlRenderer::make_program() {
  GLuint vertex = shader_of(GL_VERTEX_SHADER, kVertexShader);
  GLuint fragment = shader_of(GL_FRAGMENT_SHADER, kFragmentShader);
  GLuint program = glCreateProgram();
  glAttachShader(program, vertex);
  glAttachShader(program, fragment);
  glLinkProgram(program);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  GLint linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (!linked) return false;  // A context that is being lost links nothing.
  program_ = program;
  scale_at_ = glGetUniformLocation(program, "scale");
  shift_at_ = glGetUniformLocation(program, "shift");
  sampler_at_ = glGetUniformLocation(program, "atlas");
  glGenVertexArrays(1, &vertices_);
  glGenBuffers(1, &buffer_);
  glGenBuffers(1, &elements_);
  glBindVertexArray(vertices_);
  glBindBuffer(GL_ARRAY_BUFFER, buffer_);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, elements_);
  auto attribute = [](GLuint at, GLint size, GLenum type, GLboolean whole, size_t offset) {
    glEnableVertexAttribArray(at);
    glVertexAttribPointer(at, size, type, whole, sizeof(ImDrawVert),
                          reinterpret_cast<const void*>(offset));
  };
  attribute(0, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, pos));
  attribute(1, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, uv));
  attribute(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(ImDrawVert, col));
  return true;
}

void GlRenderer::upload_fonts() {
  unsigned char* pixels;
  int width, height;
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  atlas->GetTexDataAsAlpha8(&pixels, &width, &height);
  if (texture_) glDeleteTextures(1, &texture_);
  glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, pixels);
  fonts_stale_ = false;
}

void GlRenderer::draw_list(const ImDrawList& list, const ImDrawData& data, float height) {
  auto bytes = [](int count, size_t each) { return static_cast<GLsizeiptr>(size_t(count) * each); };
  glBufferData(GL_ARRAY_BUFFER, bytes(list.VtxBuffer.Size, sizeof(ImDrawVert)), list.VtxBuffer.Data,
               GL_STREAM_DRAW);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, bytes(list.IdxBuffer.Size, sizeof(ImDrawIdx)),
               list.IdxBuffer.Data, GL_STREAM_DRAW);
  ImVec2 scale = data.FramebufferScale;
  for (const ImDrawCmd& command : list.CmdBuffer) {
    float left = std::max(command.ClipRect.x * scale.x, 0.0f);
    float top = std::max(command.ClipRect.y * scale.y, 0.0f);
    float right = command.ClipRect.z * scale.x, bottom = command.ClipRect.w * scale.y;
    if (right <= left || bottom <= top || command.ElemCount == 0) continue;
    glScissor(static_cast<GLint>(left), static_cast<GLint>(height - bottom),
              static_cast<GLsizei>(right - left), static_cast<GLsizei>(bottom - top));
    glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(command.ElemCount), GL_UNSIGNED_SHORT,
                   reinterpret_cast<const void*>(command.IdxOffset * sizeof(ImDrawIdx)));
  }
}

void GlRenderer::draw(const ImDrawData& data) {
  float width = data.DisplaySize.x * data.FramebufferScale.x;
  float height = data.DisplaySize.y * data.FramebufferScale.y;
  if (width < 1 || height < 1 || (!ready() && !make_program())) return;
  if (fonts_stale_) upload_fonts();
  glViewport(0, 0, static_cast<GLsizei>(width), static_cast<GLsizei>(height));
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_SCISSOR_TEST);
  glUseProgram(program_);
  glUniform2f(scale_at_, 2 / data.DisplaySize.x, -2 / data.DisplaySize.y);
  glUniform2f(shift_at_, -1, 1);
  glUniform1i(sampler_at_, 0);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glBindVertexArray(vertices_);
  glBindBuffer(GL_ARRAY_BUFFER, buffer_);
  for (int i = 0; i < data.CmdListsCount; i++) draw_list(*data.CmdLists[i], data, height);
}

}  // namespace hotkv::platform
