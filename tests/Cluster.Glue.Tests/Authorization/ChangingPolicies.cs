using Microsoft.AspNetCore.Authorization;

namespace Cluster.Glue.Tests.Authorization;

/// <summary>Gives one policy for all names, which a test changes while calls run, and does not allow caching.</summary>
internal sealed class ChangingPolicies : IAuthorizationPolicyProvider
{
    private volatile AuthorizationPolicy _policy = PolicyOf(null);

    public bool AllowsCachingPolicies => false;

    public void RequireRole(string? role) => _policy = PolicyOf(role);

    public Task<AuthorizationPolicy?> GetPolicyAsync(string policyName) =>
        Task.FromResult<AuthorizationPolicy?>(_policy);

    public Task<AuthorizationPolicy> GetDefaultPolicyAsync() => Task.FromResult(_policy);

    public Task<AuthorizationPolicy?> GetFallbackPolicyAsync() => Task.FromResult<AuthorizationPolicy?>(null);

    private static AuthorizationPolicy PolicyOf(string? role)
    {
        var builder = new AuthorizationPolicyBuilder().RequireAuthenticatedUser();
        return role is null ? builder.Build() : builder.RequireRole(role).Build();
    }
}
