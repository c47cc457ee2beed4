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
  "description": "0 or left out: the driver's default, never no limit. Else memory is 8388608 at least, processes 4, disk 1048576.",
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
    "limits": {
      "type": "object", "additionalProperties": false,
      "description": "What holds, read back when it was made; 0: not limited.",
      "properties": {"cpus": {"type": "number"}, "memory": {"type": "integer"},
                     "processes": {"type": "integer"}, "disk": {"type": "integer"},
                     "diskHold": {"enum": ["not", "watched", "quota"],
                                  "description": "quota: by the file system, exactly."}}},
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
"Preview": {
  "type": "object", "additionalProperties": false, "required": ["url", "port", "visibility"],
  "properties": {
    "url": {"type": "string"},
    "port": {"type": "integer", "description": "Inside; what the URL shows."},
    "visibility": {"enum": ["private", "public"]}}},
"PreviewChange": {
  "type": "object", "additionalProperties": false, "required": ["visibility"],
  "properties": {"visibility": {"enum": ["private", "public"]}}},
"NewPreviewLink": {
  "type": "object", "additionalProperties": false,
  "properties": {
    "port": {"type": "integer", "minimum": 1, "maximum": 65535},
    "path": {"type": "string", "description": "Where it leads; / if not given."},
    "seconds": {"type": "integer", "minimum": 1, "description": "How long it opens; 3600."}}},
"PreviewLink": {
  "type": "object", "additionalProperties": false, "required": ["url", "expiresAt"],
  "properties": {"url": {"type": "string"},
                 "expiresAt": {"type": "string", "format": "date-time"}}},
"PortList": {
  "type": "object", "additionalProperties": false, "required": ["ports"],
  "properties": {"ports": {"type": "array", "items": {
    "type": "object", "additionalProperties": false, "required": ["port", "url"],
    "properties": {"port": {"type": "integer"}, "url": {"type": "string"}}}}}},
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
    "stdinEncoding": {"const": "base64"},
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
"Change": {
  "type": "object", "additionalProperties": false,
  "required": ["operation", "time", "actor", "tool"],
  "properties": {
    "operation": {"type": "integer"}, "time": {"type": "string", "format": "date-time"},
    "actor": {"type": "string"}, "tool": {"type": "string"}, "kind": {"type": "string"},
    "path": {"type": "string"}, "to": {"type": "string"}, "changes": {"type": "integer"},
    "interrupted": {"type": "boolean"}, "notUndoable": {"type": "string"},
    "undoes": {"type": "integer"}, "undoneBy": {"type": "integer"}}},
"ChangeList": {
  "type": "object", "additionalProperties": false, "required": ["changes"],
  "properties": {"changes": {"type": "array", "items": {"$ref": "#/components/schemas/Change"}}}},
"ChangeDetail": {
  "type": "object", "required": ["operation", "time", "actor", "tool", "files"],
  "properties": {
    "operation": {"type": "integer"}, "time": {"type": "string", "format": "date-time"},
    "files": {"type": "array", "items": {
      "type": "object", "additionalProperties": false, "required": ["kind", "path"],
      "properties": {
        "kind": {"type": "string"}, "path": {"type": "string"}, "to": {"type": "string"},
        "diff": {"type": "string"}, "note": {"type": "string"}}}}}},
"ToolList": {
  "type": "object", "additionalProperties": false, "required": ["dialect", "tools"],
  "properties": {"dialect": {"type": "string"},
                 "tools": {"type": "array", "items": {"type": "object"}}}},
"ToolArguments": {"type": "object"},
"McpMessage": {"type": ["object", "array"], "description": "JSON-RPC 2.0, as the protocol has it."},
"ToolResult": {
  "type": "object", "required": ["success"],
  "properties": {
    "success": {"type": "boolean"}, "text": {"type": "string"}, "data": {"type": "object"},
    "error": {"type": "object", "required": ["code", "message"]},
    "userFeedback": {"type": "string"}, "previewRefreshNeeded": {"type": "boolean"}}},
"Approval": {
  "type": "object", "additionalProperties": false,
  "required": ["id", "sandboxId", "actor", "tool", "operation", "reason", "path", "asked", "state",
               "choices", "askedAt", "expiresAt"],
  "properties": {
    "id": {"type": "string"}, "sandboxId": {"type": "string"}, "actor": {"type": "string"},
    "tool": {"type": "string"}, "operation": {"type": "string"},
    "reason": {"enum": ["outside", "tool", "rule"]}, "path": {"type": "string"}, "asked": {"type": "string"},
    "command": {"type": "string"}, "target": {"type": "string"}, "state": {"type": "string"},
    "preview": {"type": "string"}, "directory": {"type": "string"}, "trusted": {"type": "string"},
    "choices": {"type": "array", "items": {"enum": ["deny", "once", "directory", "tool"]}},
    "explanation": {"$ref": "#/components/schemas/Explanation"},
    "askedAt": {"type": "string", "format": "date-time"},
    "expiresAt": {"type": "string", "format": "date-time",
                  "description": "Then it is denied."}}},
"Explanation": {
  "type": "object", "additionalProperties": false,
  "description": "What the command would do, as far as its text tells.",
  "required": ["risk", "reasons", "programs", "files", "network", "unknown", "truncated"],
  "properties": {
    "risk": {"enum": ["low", "medium", "high"]},
    "reasons": {"type": "array", "items": {
      "type": "object", "additionalProperties": false, "required": ["risk", "code", "text"],
      "properties": {"risk": {"enum": ["low", "medium", "high"]}, "code": {"type": "string"},
                     "text": {"type": "string"}}}},
    "programs": {"type": "array", "items": {"type": "string"}},
    "files": {"type": "array", "items": {
      "type": "object", "additionalProperties": false,
      "required": ["access", "path", "by", "exactness", "extent"],
      "properties": {"access": {"type": "string"}, "path": {"type": "string"},
                     "by": {"type": "string"}, "exactness": {"type": "string"},
                     "extent": {"type": "string"}}}},
    "network": {"type": "array", "items": {
      "type": "object", "additionalProperties": false, "required": ["target", "by"],
      "properties": {"target": {"type": "string"}, "by": {"type": "string"}}}},
    "unknown": {"type": "array", "items": {
      "type": "object", "additionalProperties": false, "required": ["text", "why"],
      "properties": {"text": {"type": "string"}, "why": {"type": "string"}}}},
    "truncated": {"type": "boolean"}}},
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
"AuditTimeline": {
  "type": "object", "additionalProperties": false,
  "required": ["from", "stepSeconds", "buckets", "truncated"],
  "properties": {
    "from": {"type": "string", "format": "date-time"}, "stepSeconds": {"type": "number"},
    "buckets": {"type": "array", "items": {
      "type": "object", "additionalProperties": false, "required": ["allowed", "asked", "denied"],
      "properties": {"allowed": {"type": "integer"}, "asked": {"type": "integer"},
                     "denied": {"type": "integer"}}}},
    "truncated": {"type": "boolean", "description": "The first spans may hold too little."}}},
"AuditVerification": {
  "type": "object", "additionalProperties": false,
  "required": ["intact", "records", "first", "last", "head", "checkedAt", "notes"],
  "properties": {
    "intact": {"type": "boolean"}, "records": {"type": "integer"}, "first": {"type": "integer"},
    "last": {"type": "integer"}, "head": {"type": "string"},
    "checkedAt": {"type": "string", "format": "date-time"},
    "damage": {
      "type": "object", "additionalProperties": false,
      "required": ["kind", "file", "line", "seq", "detail"],
      "properties": {"kind": {"type": "string"}, "file": {"type": "string"},
                     "line": {"type": "integer"}, "seq": {"type": "integer"},
                     "detail": {"type": "string"}}},
    "notes": {"type": "array", "items": {"type": "string"}}}},
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
"SignIn": {
  "type": "object", "additionalProperties": false,
  "description": "One of the two.",
  "properties": {"code": {"type": "string"}, "token": {"type": "string"}}},
"Session": {
  "type": "object", "additionalProperties": false, "required": ["userId", "scopes"],
  "properties": {
    "userId": {"type": "string"}, "user": {"type": "string"},
    "scopes": {"type": "array", "items": {"type": "string"}},
    "key": {"type": "string", "description": "Told once, when it is opened."},
    "expiresAt": {"type": "string", "format": "date-time"}}},
"SignInCode": {
  "type": "object", "additionalProperties": false, "required": ["code", "expiresAt"],
  "properties": {"code": {"type": "string"},
                 "expiresAt": {"type": "string", "format": "date-time"}}},
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
