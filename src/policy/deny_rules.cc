// The rules that come with the program.
#include <initializer_list>
#include <string_view>

#include "policy/deny_list.h"

namespace cordon::policy {
namespace {

struct BuiltIn {
  std::string_view pattern;
  std::string_view reason;
  std::initializer_list<std::string_view> except = {};
};

std::vector<DenyRule> Rules(std::string_view origin, std::initializer_list<BuiltIn> list) {
  std::vector<DenyRule> rules;
  for (const BuiltIn& entry : list) {
    DenyRule& rule = rules.emplace_back();
    rule.pattern = entry.pattern;
    rule.except.assign(entry.except.begin(), entry.except.end());
    rule.reason = entry.reason;
    rule.origin = origin;
  }
  return rules;
}

}  // namespace

std::vector<DenyRule> DefaultDenyRules() {
  return Rules("default", {
                              {".env", "holds the secrets of the program's environment"},
                              {".env.*",
                               "holds the secrets of the program's environment",
                               {".env.example", ".env.sample", ".env.template"}},
                              {".ssh", "holds private keys and decides which hosts are trusted"},
                              {".git", "its hooks and configuration run code outside the boundary"},
                          });
}

std::vector<DenyRule> CredentialDenyRules() {
  return Rules(
      "credentials",
      {
          // Private keys.
          {"id_rsa", "a private SSH key"},
          {"id_dsa", "a private SSH key"},
          {"id_ecdsa", "a private SSH key"},
          {"id_ecdsa_sk", "a private SSH key"},
          {"id_ed25519", "a private SSH key"},
          {"id_ed25519_sk", "a private SSH key"},
          {"*.pem", "PEM files usually hold private keys"},
          {"*.key", "usually a private key"},
          {"*.p12", "a key store with private keys"},
          {"*.pfx", "a key store with private keys"},
          {"*.p8", "a private key in PKCS#8 form"},
          {"*.ppk", "a private key of PuTTY"},
          {"*.jks", "a Java key store"},
          {"*.keystore", "a key store with private keys"},
          {".gnupg", "holds private OpenPGP keys"},
          {"*.ovpn", "VPN profiles embed private keys"},
          // Passwords.
          {"*.kdbx", "a password safe"},
          {"*.keychain", "a password safe of macOS"},
          {"*.keychain-db", "a password safe of macOS"},
          {".netrc", "holds passwords for hosts"},
          {"_netrc", "holds passwords for hosts"},
          {".pgpass", "holds database passwords"},
          {".my.cnf", "holds database passwords"},
          {".htpasswd", "holds password hashes"},
          {".git-credentials", "holds passwords for git hosts"},
          {".password-store", "holds encrypted passwords"},
          // Tokens of package registries.
          {".npmrc", "may hold a registry token"},
          {".yarnrc.yml", "may hold a registry token"},
          {".pypirc", "holds a registry token"},
          {"**/.cargo/credentials", "holds a registry token"},
          {"**/.cargo/credentials.toml", "holds a registry token"},
          {"**/.gem/credentials", "holds a registry token"},
          {"**/.composer/auth.json", "holds a registry token"},
          {"**/.m2/settings.xml", "may hold repository passwords"},
          // Clouds and clusters.
          {".aws", "holds access keys of AWS"},
          {".azure", "holds access tokens of Azure"},
          {"**/.config/gcloud", "holds access tokens of Google Cloud"},
          {"application_default_credentials.json", "holds an access token of Google Cloud"},
          {".kube", "holds cluster credentials"},
          {"kubeconfig", "holds cluster credentials"},
          {"**/.docker/config.json", "may hold registry passwords"},
          {".dockercfg", "may hold registry passwords"},
          {"**/.config/gh/hosts.yml", "holds a token of GitHub"},
          {".vault-token", "a token of the secrets store"},
          {"credentials.json", "usually a service account's key"},
          {"service-account*.json", "usually a service account's key"},
          // Infrastructure.
          {"*.tfstate", "state files repeat every secret in clear text"},
          {"*.tfstate.backup", "state files repeat every secret in clear text"},
          {".terraformrc", "may hold an API token"},
          {"credentials.tfrc.json", "holds an API token"},
          {".envrc", "usually exports secrets"},
          {".vault_pass", "a password of an encrypted vault"},
      });
}

}  // namespace cordon::policy
