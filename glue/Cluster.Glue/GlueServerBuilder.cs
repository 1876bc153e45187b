using Cluster.Glue.Authorization;
using Cluster.Glue.Filters;
using Cluster.Glue.Hosting;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace Cluster.Glue;

/// <summary>Collects the services that a Glue server offers; returned by <c>AddGlueServer</c>, used while the host is
/// composed.</summary>
public sealed class GlueServerBuilder
{
    internal GlueServerBuilder(IServiceCollection services) => Services = services;

    /// <summary>The container in which the server is registered.</summary>
    public IServiceCollection Services { get; }

    /// <summary>Offers a contract. A second implementation of the same contract replaces the first.</summary>
    /// <typeparam name="TContract">A plain interface.</typeparam>
    /// <typeparam name="TImplementation">Its implementation, created by the container.</typeparam>
    /// <param name="mode">How long one object lives.</param>
    /// <param name="filters">Adds filters around its calls; null: it has none.</param>
    /// <param name="audience">Who may call it.</param>
    /// <exception cref="NotSupportedException">The contract has a member that cannot be called remotely; the message
    /// names it.</exception>
    public GlueServerBuilder AddService<TContract, TImplementation>(
        GlueInstanceMode mode = GlueInstanceMode.PerCall,
        Action<GlueFilters>? filters = null,
        GlueAudience audience = GlueAudience.Everybody)
        where TContract : class
        where TImplementation : class, TContract
    {
        ContractRules.CheckMode(ContractDescription.Of(typeof(TContract)), mode);
        if (mode == GlueInstanceMode.Singleton)
            Services.TryAddSingleton<TImplementation>();
        else
            Services.TryAddScoped<TImplementation>();
        var own = new GlueFilters();
        filters?.Invoke(own);
        Services.AddSingleton(
            new ServiceRegistration(typeof(TContract), typeof(TImplementation), mode)
            {
                Filters = own,
                Audience = audience,
            });
        return this;
    }

    /// <summary>Restricts one service to callers that the policies allow. Attributes of the service are obeyed, too. A
    /// method with <c>[AllowAnonymous]</c> stays open.</summary>
    /// <typeparam name="TContract">The interface that <see cref="AddService"/> is called with.</typeparam>
    /// <param name="policies">The names of the policies; none: the default policy, which requires a known user.</param>
    public GlueServerBuilder RequireAuthorization<TContract>(params string[] policies)
        where TContract : class =>
        Require(typeof(TContract), policies);

    /// <summary>Restricts all services of the server, also those that are added later, to callers that the policies
    /// allow.</summary>
    /// <param name="policies">The names of the policies; none: the default policy, which requires a known user.</param>
    public GlueServerBuilder RequireAuthorization(params string[] policies) => Require(null, policies);

    /// <summary>Serves other gRPC services on the listener that <see cref="GlueServerOptions.ListenAddress"/> opens, in
    /// addition to Glue and <c>grpc.health.v1</c>: <c>endpoints.MapGrpcService&lt;T&gt;()</c>, or reflection. With
    /// <c>MapGlue</c>, map them into the host's own endpoints instead.</summary>
    /// <param name="map">Maps the endpoints; runs once, when the listener starts.</param>
    public GlueServerBuilder MapEndpoints(Action<IEndpointRouteBuilder> map)
    {
        ArgumentNullException.ThrowIfNull(map);
        Services.AddSingleton(new ListenerEndpoints(map));
        return this;
    }

    private GlueServerBuilder Require(Type? contract, string[] policies)
    {
        ArgumentNullException.ThrowIfNull(policies);
        var data = policies.Length == 0
            ? [new AuthorizeAttribute()]
            : Array.ConvertAll(policies, static IAuthorizeData (name) => new AuthorizeAttribute(name));
        Services.AddSingleton(new AuthorizationDemand(contract, data));
        return this;
    }
}

/// <summary>Who may call a service.</summary>
public enum GlueAudience
{
    /// <summary>Everybody who reaches the server.</summary>
    Everybody = 0,

    /// <summary>Processes that have proven a secret of the server's <see cref="GlueServerOptions.PeerIdentity"/>, and
    /// callers in the same process. Other callers are refused before their arguments are read.</summary>
    Peers = 1,
}
