using Cluster.Glue.Faults;
using Cluster.Glue.Observation;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Authorization.Infrastructure;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Authorization;

/// <summary>Decides who may call one method, by the authorization services of the host. The policy is looked up before
/// the server starts or with the first call. If the policy provider does not allow caching, each call looks the policy
/// up again, and no decision is remembered. A failure of any kind refuses the call. Immutable but for the
/// policy.</summary>
internal sealed class MethodAccess(AccessRule rule, Type contract, ContractMethod method)
{
    private readonly GlueAuthorizationResource _resource = new(contract, method.Method);
    private FoundPolicy? _policy;

    /// <summary>The access of a method; null: everybody may call it.</summary>
    public static MethodAccess? Of(ServiceRegistration registration, ContractMethod method) =>
        AccessRule.Of(registration, method.Method, method.DisplayName) is { } rule
            ? new MethodAccess(rule, registration.Contract, method)
            : null;

    /// <summary>Finds the policy, so that a missing one is noticed at the start.</summary>
    /// <exception cref="InvalidOperationException">There is none; the message says what to do.</exception>
    public ValueTask<object> PrepareAsync(IServiceProvider services) =>
        Volatile.Read(ref _policy) is { } known ? new(known) : FindPolicyAsync(services);

    public bool IsKnown(CallerIdentity caller) => caller.FindDecision(rule) is not null;

    /// <summary>Gives the remembered decision about the caller. False: there is none.</summary>
    public bool TryDecide(CallerIdentity caller, TimeProvider time, out GlueException? refusal)
    {
        refusal = null;
        var known = caller.FindDecision(rule);
        if (known is null || caller.HasExpired(time.GetUtcNow()))
            return false;
        if (known == false)
            refusal = Refuse(caller);
        return true;
    }

    /// <summary>Decides about a caller; returns why it is refused, or null.</summary>
    /// <param name="caller">The caller.</param>
    /// <param name="services">The services of the host; each decision has its own scope.</param>
    /// <param name="time">The clock of the caller's token.</param>
    /// <param name="log">Logs why no decision could be made.</param>
    [SuppressMessage("Design", "CA1031", Justification = "Whatever a handler throws refuses the call.")]
    public async ValueTask<GlueException?> DecideAsync(
        CallerIdentity caller, IServiceProvider services, TimeProvider time, ServerLog log)
    {
        if (caller.HasExpired(time.GetUtcNow()))
            return NotAuthenticated("the caller's token has expired; give a fresh one (AccessTokenProvider)");
        try
        {
            var scope = services.CreateAsyncScope();
            await using (scope.ConfigureAwait(false))
                return await DecideAsync(scope.ServiceProvider, caller).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            log.AccessNotDecided(exception, method.DisplayName);
            return NotAuthorized("whether the caller may call it could not be decided; the server's log says why");
        }
    }

    private async ValueTask<GlueException?> DecideAsync(IServiceProvider services, CallerIdentity caller)
    {
        var policy = (FoundPolicy)await PrepareAsync(services).ConfigureAwait(false);
        var result = await services.GetRequiredService<IAuthorizationService>()
            .AuthorizeAsync(caller.CopyUser(), _resource, policy.Policy).ConfigureAwait(false);
        if (policy.DependsOnUserAlone)
            caller.Keep(rule, result.Succeeded);
        return result.Succeeded ? null : Refuse(caller);
    }

    private async ValueTask<object> FindPolicyAsync(IServiceProvider services)
    {
        if (rule.Problem is { } problem)
            throw new InvalidOperationException(problem);
        if (services.GetService<IAuthorizationPolicyProvider>() is not { } provider
            || services.GetService<IAuthorizationService>() is not { } service)
        {
            throw new InvalidOperationException(
                $"{method.DisplayName} asks for {rule.Text}, and the host has no authorization services. Call "
                + "builder.Services.AddAuthorization().");
        }

        var policy = await CombineAsync(provider).ConfigureAwait(false);
        if (policy.AuthenticationSchemes.Count > 0)
        {
            throw new InvalidOperationException(
                $"{method.DisplayName} asks for {rule.Text} with the authentication schemes "
                + $"{string.Join(", ", policy.AuthenticationSchemes)}. Glue authenticates callers by the default "
                + "scheme: make it that of AddAuthentication, and name no schemes here.");
        }

        var dependsOnUserAlone = provider.AllowsCachingPolicies
            && service.GetType() == typeof(DefaultAuthorizationService)
            && services.GetServices<IAuthorizationHandler>().All(
                static handler => handler is PassThroughAuthorizationHandler)
            && policy.Requirements.All(IsAboutUser);
        var found = new FoundPolicy(policy, dependsOnUserAlone);
        if (provider.AllowsCachingPolicies)
            Volatile.Write(ref _policy, found);
        return found;
    }

    private async ValueTask<AuthorizationPolicy> CombineAsync(IAuthorizationPolicyProvider provider)
    {
        try
        {
            return await AuthorizationPolicy.CombineAsync(provider, rule.Data).ConfigureAwait(false)
                ?? throw new InvalidOperationException("There is no default policy.");
        }
        catch (InvalidOperationException exception)
        {
            throw new InvalidOperationException(
                $"{method.DisplayName} asks for {rule.Text}, which cannot be decided here: {exception.Message} "
                + "Register the policy by builder.Services.AddAuthorization(options => options.AddPolicy(...)).",
                exception);
        }
    }

    // Other requirements may depend on the time or on a table, and change while a link is open.
    private static bool IsAboutUser(IAuthorizationRequirement requirement) =>
        requirement is DenyAnonymousAuthorizationRequirement or RolesAuthorizationRequirement
            or ClaimsAuthorizationRequirement or NameAuthorizationRequirement
            && requirement.GetType().Assembly == typeof(RolesAuthorizationRequirement).Assembly;

    private GlueException Refuse(CallerIdentity caller)
    {
        if (caller.IsKnown)
            return NotAuthorized(
                "the caller is known and may not call it; call as another user, or let the policy allow this one");
        return NotAuthenticated(
            caller.Problem
            ?? "the caller has shown no token and no certificate (AccessTokenProvider, GlueCall.WithBearerToken or "
            + "Tls of the client)");
    }

    private GlueException NotAuthenticated(string reason) => Refuse(GlueErrorCode.NotAuthenticated, reason);

    private GlueException NotAuthorized(string reason) => Refuse(GlueErrorCode.NotAuthorized, reason);

    private GlueException Refuse(GlueErrorCode code, string reason) =>
        GlueErrors.NotDelivered(
            GlueErrorKind.Refused, code, $"{method.DisplayName} asks for {rule.Text}: {reason}.");

    /// <summary>A policy, and whether its decision about a user is valid for all calls of that user.</summary>
    private sealed record FoundPolicy(AuthorizationPolicy Policy, bool DependsOnUserAlone);
}
