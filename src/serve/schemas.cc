#include "serve/schemas.h"

namespace cordon::serve {
namespace {

constexpr std::string_view kSchemas = R"json({
"Problem": {
  "type": "object", "required": ["error"], "additionalProperties": false,
  "properties": {"error": {
    "type": "object", "required": ["code", "message"],
    "properties": {"code": {"type": "string"}, "message": {"type": "string"},
                   "rule": {"type": "string"}, "component": {"type": "string"}}}}},
"Resources": {
  "type": "object", "additionalProperties": false,
  "description": "0 or left out: the driver's default, never no limit.",
  "properties": {"cpus": {"type": "number", "minimum": 0},
                 "memory": {"type": "integer", "minimum": 0},
                 "processes": {"type": "integer", "minimum": 0},
                 "disk": {"type": "integer", "minimum": 0}}},
"Wish": {
  "type": "object", "additionalProperties": false,
  "properties": {
    "driver": {"type": "string"}, "image": {"type": "string"},
    "resources": {"$ref": "#/components/schemas/Resources"},
    "environment": {"type": "object", "additionalProperties": {"type": "string"}},
    "network": {"type": "string", "description": "none, allow:HOST,... or full"},
    "isolation": {"enum": ["container", "kernel-line", "gvisor"],
                  "description": "At least this; creation fails rather than give less."},
    "lifetimeSeconds": {"type": "integer", "minimum": 1},
    "idleSeconds": {"type": "integer", "minimum": 1}}},
"Sandbox": {
  "type": "object", "additionalProperties": false,
  "required": ["id", "status", "driver", "isolation", "createdAt", "lastActiveAt"],
  "properties": {
    "id": {"type": "string", "pattern": "^[a-z2-7]{26}$"},
    "status": {
      "type": "object", "additionalProperties": false,
      "required": ["state", "reason", "message", "lastTransitionAt"],
      "properties": {
        "state": {"enum": ["pending", "ready", "paused", "terminating", "terminated", "failed"]},
        "reason": {"type": "string"}, "message": {"type": "string"},
        "lastTransitionAt": {"type": "string", "format": "date-time"}}},
    "driver": {"type": "string"},
    "isolation": {
      "type": "object", "additionalProperties": false,
      "properties": {"requested": {"type": "string"}, "actual": {"type": "string"},
                     "detail": {"type": "string"}}},
    "conversationId": {"type": "string"},
    "image": {"type": "string"}, "network": {"type": "string"},
    "resources": {"$ref": "#/components/schemas/Resources"},
    "publicUrl": {"type": "string"},
    "createdAt": {"type": "string", "format": "date-time"},
    "lastActiveAt": {"type": "string", "format": "date-time"},
    "readyAt": {"type": "string", "format": "date-time"},
    "expiresAt": {"type": "string", "format": "date-time"},
    "endedAt": {"type": "string", "format": "date-time"},
    "exitStatus": {"type": "integer"}, "outOfMemory": {"type": "boolean"},
    "lastLines": {"type": "string"}}},
"SandboxPage": {
  "type": "object", "additionalProperties": false, "required": ["sandboxes", "next"],
  "properties": {"sandboxes": {"type": "array", "items": {"$ref": "#/components/schemas/Sandbox"}},
                 "next": {"type": ["string", "null"]}}},
"Renewal": {
  "type": "object", "additionalProperties": false, "required": ["seconds"],
  "properties": {"seconds": {"type": "integer", "minimum": 1}}},
"NewConversation": {
  "type": "object", "additionalProperties": false,
  "properties": {"title": {"type": "string"}, "sandbox": {"$ref": "#/components/schemas/Wish"}}},
"Conversation": {
  "type": "object", "additionalProperties": false,
  "required": ["id", "title", "createdAt", "sandboxId", "sandboxStatus", "sandboxReason",
               "sandboxMessage", "sandboxCreatedAt", "sandboxPublicUrl"],
  "properties": {
    "id": {"type": "string"}, "title": {"type": "string"},
    "createdAt": {"type": "string", "format": "date-time"},
    "sandboxId": {"type": ["string", "null"]},
    "sandboxStatus": {"enum": ["pending", "ready", "failed", "terminated"]},
    "sandboxReason": {"type": "string"}, "sandboxMessage": {"type": "string"},
    "sandboxCreatedAt": {"type": ["string", "null"], "format": "date-time"},
    "sandboxPublicUrl": {"type": ["string", "null"]}}},
"ConversationPage": {
  "type": "object", "additionalProperties": false, "required": ["conversations", "next"],
  "properties": {
    "conversations": {"type": "array", "items": {"$ref": "#/components/schemas/Conversation"}},
    "next": {"type": ["string", "null"]}}},
"Stats": {
  "type": "object", "additionalProperties": false,
  "required": ["cpuSeconds", "memory", "peakMemory", "disk", "processes", "ports"],
  "properties": {
    "cpuSeconds": {"type": "number"}, "memory": {"type": "integer"},
    "peakMemory": {"type": "integer"}, "disk": {"type": "integer"},
    "processes": {"type": "integer"},
    "ports": {"type": "array", "items": {"type": "integer"}}}},
"Process": {
  "type": "object", "additionalProperties": false,
  "required": ["id", "parent", "program", "arguments", "memory", "cpuSeconds"],
  "properties": {
    "id": {"type": "integer"}, "parent": {"type": "integer"}, "program": {"type": "string"},
    "arguments": {"type": "string"}, "memory": {"type": "integer"},
    "cpuSeconds": {"type": "number"}}},
"ProcessList": {
  "type": "object", "additionalProperties": false, "required": ["processes"],
  "properties": {"processes": {"type": "array", "items": {"$ref": "#/components/schemas/Process"}}}},
"Logs": {
  "type": "object", "additionalProperties": false, "required": ["lines"],
  "properties": {"lines": {"type": "string"}}},
"KillRequest": {
  "type": "object", "additionalProperties": false, "required": ["process"],
  "properties": {"process": {"type": "integer", "minimum": 2},
                 "signal": {"type": "integer", "minimum": 0, "maximum": 64}}},
"ExecRequest": {
  "type": "object", "additionalProperties": false,
  "description": "Either command, which a shell reads, or arguments.",
  "properties": {
    "command": {"type": "string"},
    "arguments": {"type": "array", "items": {"type": "string"}, "minItems": 1},
    "environment": {"type": "object", "additionalProperties": {"type": "string"}},
    "directory": {"type": "string"}, "stdin": {"type": "string"},
    "timeoutSeconds": {"type": "integer", "minimum": 1, "maximum": 3600},
    "detached": {"type": "boolean",
                 "description": "It goes on when the request has ended; its output is not kept."}}},
"ExecResult": {
  "type": "object", "additionalProperties": false,
  "required": ["exitStatus", "signal", "ended", "stdout", "stderr", "truncated", "refusals"],
  "properties": {
    "exitStatus": {"type": "integer"}, "signal": {"type": "integer"},
    "ended": {"enum": ["exited", "timeout", "killed", "sandbox-gone", "detached"]},
    "stdout": {"type": "string"}, "stderr": {"type": "string"},
    "stdoutEncoding": {"const": "base64"}, "stderrEncoding": {"const": "base64"},
    "truncated": {"type": "boolean"},
    "refusals": {"type": "array", "items": {"type": "string"}}}},
"NewTerminal": {
  "type": "object", "additionalProperties": false,
  "properties": {
    "command": {"type": "string"},
    "arguments": {"type": "array", "items": {"type": "string"}, "minItems": 1},
    "environment": {"type": "object", "additionalProperties": {"type": "string"}},
    "directory": {"type": "string"},
    "rows": {"type": "integer", "minimum": 1, "maximum": 1000},
    "columns": {"type": "integer", "minimum": 1, "maximum": 1000}}},
"Terminal": {
  "type": "object", "additionalProperties": false,
  "required": ["id", "createdAt", "state", "offset"],
  "properties": {
    "id": {"type": "string"}, "createdAt": {"type": "string", "format": "date-time"},
    "state": {"enum": ["running", "ended"]},
    "offset": {"type": "integer", "description": "Bytes of output so far."},
    "exitStatus": {"type": "integer"}, "signal": {"type": "integer"}}},
"TerminalList": {
  "type": "object", "additionalProperties": false, "required": ["terminals"],
  "properties": {
    "terminals": {"type": "array", "items": {"$ref": "#/components/schemas/Terminal"}}}},
)json"
                                      R"json("DirectoryEntry": {
  "type": "object", "additionalProperties": false, "required": ["name", "type"],
  "properties": {
    "name": {"type": "string"}, "name_encoding": {"const": "percent"},
    "type": {"enum": ["file", "directory", "symlink", "other"]}}},
"Directory": {
  "type": "object", "additionalProperties": false, "required": ["type", "entries"],
  "properties": {
    "type": {"const": "directory"},
    "entries": {"type": "array", "items": {"$ref": "#/components/schemas/DirectoryEntry"}}}},
"Written": {
  "type": "object", "additionalProperties": false, "required": ["size", "etag"],
  "properties": {"size": {"type": "integer"}, "etag": {"type": "string"}}},
"FilePatch": {
  "type": "object", "additionalProperties": false,
  "description": "One of: move it to another path, or make it a directory.",
  "properties": {"moveTo": {"type": "string"}, "makeDirectory": {"type": "boolean"}}},
"ArchiveResult": {
  "type": "object", "additionalProperties": false, "required": ["files", "directories", "links"],
  "properties": {"files": {"type": "integer"}, "directories": {"type": "integer"},
                 "links": {"type": "integer"}}},
"ToolList": {
  "type": "object", "additionalProperties": false, "required": ["dialect", "tools"],
  "properties": {"dialect": {"type": "string"},
                 "tools": {"type": "array", "items": {"type": "object"}}}},
"ToolArguments": {"type": "object"},
"ToolResult": {
  "type": "object", "required": ["success"],
  "properties": {
    "success": {"type": "boolean"}, "text": {"type": "string"}, "data": {"type": "object"},
    "error": {"type": "object", "required": ["code", "message"]},
    "userFeedback": {"type": "string"}, "previewRefreshNeeded": {"type": "boolean"}}},
"Approval": {
  "type": "object", "additionalProperties": false,
  "required": ["id", "sandboxId", "tool", "operation", "path", "asked", "state", "choices",
               "askedAt"],
  "properties": {
    "id": {"type": "string"}, "sandboxId": {"type": "string"}, "tool": {"type": "string"},
    "operation": {"type": "string"}, "path": {"type": "string"}, "asked": {"type": "string"},
    "command": {"type": "string"}, "target": {"type": "string"}, "state": {"type": "string"},
    "preview": {"type": "string"}, "directory": {"type": "string"}, "trusted": {"type": "string"},
    "choices": {"type": "array", "items": {"enum": ["deny", "once", "directory", "tool"]}},
    "askedAt": {"type": "string", "format": "date-time"}}},
"ApprovalList": {
  "type": "object", "additionalProperties": false, "required": ["approvals"],
  "properties": {
    "approvals": {"type": "array", "items": {"$ref": "#/components/schemas/Approval"}}}},
"ApprovalAnswer": {
  "type": "object", "additionalProperties": false, "required": ["choice"],
  "properties": {"choice": {"enum": ["deny", "once", "directory", "tool"]}}},
"AuditRecord": {
  "type": "object", "required": ["seq", "time", "event"],
  "properties": {"seq": {"type": "integer"}, "time": {"type": "string"},
                 "event": {"type": "string"}}},
"AuditPage": {
  "type": "object", "additionalProperties": false, "required": ["records", "next"],
  "properties": {
    "records": {"type": "array", "items": {"$ref": "#/components/schemas/AuditRecord"}},
    "next": {"type": ["integer", "null"]}}},
"NewToken": {
  "type": "object", "additionalProperties": false, "required": ["scopes"],
  "properties": {
    "userId": {"type": "string"}, "label": {"type": "string"},
    "scopes": {"type": "array", "items": {"type": "string"}, "minItems": 1},
    "expiresInSeconds": {"type": "integer", "minimum": 1}}},
"Token": {
  "type": "object", "additionalProperties": false,
  "required": ["id", "userId", "label", "scopes", "createdAt"],
  "properties": {
    "id": {"type": "string"}, "userId": {"type": "string"}, "label": {"type": "string"},
    "scopes": {"type": "array", "items": {"type": "string"}},
    "createdAt": {"type": "string", "format": "date-time"},
    "expiresAt": {"type": "string", "format": "date-time"},
    "revokedAt": {"type": "string", "format": "date-time"},
    "lastUsedAt": {"type": "string", "format": "date-time"},
    "secret": {"type": "string", "description": "Told once, when it is made."}}},
"TokenList": {
  "type": "object", "additionalProperties": false, "required": ["tokens"],
  "properties": {"tokens": {"type": "array", "items": {"$ref": "#/components/schemas/Token"}}}},
"NewUser": {
  "type": "object", "additionalProperties": false, "required": ["name"],
  "properties": {"name": {"type": "string", "minLength": 1, "maxLength": 128}}},
"User": {
  "type": "object", "additionalProperties": false, "required": ["id", "name", "createdAt"],
  "properties": {"id": {"type": "string"}, "name": {"type": "string"},
                 "createdAt": {"type": "string", "format": "date-time"}}},
"UserList": {
  "type": "object", "additionalProperties": false, "required": ["users"],
  "properties": {"users": {"type": "array", "items": {"$ref": "#/components/schemas/User"}}}},
"Health": {
  "type": "object", "additionalProperties": false, "required": ["status"],
  "properties": {"status": {"enum": ["ok", "unavailable"]}}},
"Document": {"type": "object", "required": ["openapi", "paths"]}
})json";

}  // namespace

std::string_view SchemasText() { return kSchemas; }

}  // namespace cordon::serve
