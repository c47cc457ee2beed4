// Every group of routes adds its own, in the order of the document.
#pragma once

#include "serve/context.h"
#include "serve/route.h"

namespace cordon::serve {

void AddConversationRoutes(Routes& routes, const Context& context);
void AddSandboxRoutes(Routes& routes, const Context& context);
void AddPreviewRoutes(Routes& routes, const Context& context);
void AddInsideRoutes(Routes& routes, const Context& context);
void AddExecRoutes(Routes& routes, const Context& context);
void AddTerminalRoutes(Routes& routes, const Context& context);
void AddFileRoutes(Routes& routes, const Context& context);
void AddArchiveRoutes(Routes& routes, const Context& context);
void AddChangeRoutes(Routes& routes, const Context& context);
void AddToolRoutes(Routes& routes, const Context& context);
void AddMcpRoutes(Routes& routes, const Context& context);
void AddApprovalRoutes(Routes& routes, const Context& context);
void AddAuditRoutes(Routes& routes, const Context& context);
void AddAuditChartRoutes(Routes& routes, const Context& context);
void AddAccountRoutes(Routes& routes, const Context& context);
void AddSessionRoutes(Routes& routes, const Context& context);
void AddDashboardRoutes(Routes& routes, const Context& context);
void AddHealthRoutes(Routes& routes, const Context& context);

// All of them.
Routes AllRoutes(const Context& context);

// What every route that needs a token may answer.
inline constexpr Content kProblem{"Problem"};

}  // namespace cordon::serve
