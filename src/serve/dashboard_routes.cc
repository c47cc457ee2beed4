// The dashboard's files. They hold no secret, so that everybody may have them; what they show
// comes from the API, which asks who one is.
#include <algorithm>
#include <utility>

#include "net/ascii.h"
#include "preview/previews.h"
#include "serve/problem.h"
#include "serve/routes.h"
#include "serve/web_assets.h"

namespace cordon::serve {
namespace {

// Nothing from elsewhere but previews in frames, nothing inline, in nobody's frame.
std::string ContentPolicy(const preview::Previews* previews) {
  std::string policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
      "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
      "require-trusted-types-for 'script'; trusted-types 'none'";
  if (previews == nullptr) return policy;
  const preview::UrlTerms& urls = previews->urls();
  if (urls.mode == preview::Mode::kProduction)
    return policy + "; frame-src https://*." + urls.domain;
  return policy + "; frame-src http://localhost:* http://*.localhost:*";
}

void AddProtection(net::HttpFields& fields, const std::string& policy) {
  fields.Add("Content-Security-Policy", policy);
  fields.Add("X-Content-Type-Options", "nosniff");
  fields.Add("Referrer-Policy", "no-referrer");
  fields.Add("X-Frame-Options", "DENY");
  fields.Add("Cross-Origin-Opener-Policy", "same-origin");
  fields.Add("Cross-Origin-Resource-Policy", "same-origin");
  fields.Add("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()");
}

bool TakesGzip(const net::HttpFields& fields) {
  const auto accepted = fields.Find("Accept-Encoding");
  if (!accepted) return false;
  const std::string lower = net::LowerCase(*accepted);
  return lower.find("gzip") != std::string::npos || lower.find('*') != std::string::npos;
}

net::HttpResponse Give(const WebAsset& asset, const net::HttpRequest& request,
                       const std::string& policy) {
  net::HttpResponse response;
  AddProtection(response.fields, policy);
  response.fields.Add("ETag", std::string(asset.etag));
  response.fields.Add("Vary", "Accept-Encoding");
  response.fields.Add("Cache-Control", asset.keep == WebAsset::Keep::kForever
                                           ? "public, max-age=31536000, immutable"
                                           : "no-cache");
  if (request.fields.Find("If-None-Match") == asset.etag) {
    response.status = 304;
    return response;
  }
  if (!TakesGzip(request.fields)) {
    return Problem(406, "INVALID_ARGUMENTS", "the dashboard is there with Accept-Encoding: gzip");
  }
  response.fields.Add("Content-Type", std::string(asset.media_type));
  response.fields.Add("Content-Encoding", "gzip");
  response.body = asset.gzip;
  return response;
}

net::HttpResponse Find(std::string_view path, const net::HttpRequest& request,
                       const std::string& policy) {
  const auto& all = WebAssets();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const WebAsset& asset) { return asset.path == path; });
  if (found != all.end()) return Give(*found, request, policy);
  if (all.empty()) return Problem(404, "NOT_FOUND", "this server was built without a dashboard");
  return NoSuchObject();
}

}  // namespace

void AddDashboardRoutes(Routes& routes, const Context& context) {
  const std::string policy = ContentPolicy(context.previews.get());
  routes.push_back({"GET",
                    "/",
                    "getDashboard",
                    "The dashboard, for a browser",
                    "",
                    {{200, "Its page", {"", "text/html"}}, {304, "The same as before"}},
                    Answering([policy](Call& call) { return Find("/", call.request, policy); }),
                    {},
                    {},
                    Admits::kEverybody});
  routes.push_back({"GET",
                    "/assets/{name}",
                    "getDashboardAsset",
                    "What the dashboard's page is made of",
                    "",
                    {{200, "A script", {"", "text/javascript"}},
                     {200, "A style sheet", {"", "text/css"}},
                     {200, "A picture", {"", "image/svg+xml"}},
                     {304, "The same as before"}},
                    Answering([policy](Call& call) {
                      return Find("/assets/" + call.Parameter("name"), call.request, policy);
                    }),
                    {},
                    {},
                    Admits::kEverybody});
}

}  // namespace cordon::serve
