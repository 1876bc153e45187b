using Cluster.Nodes.AspNetCore;
using Cluster.Nodes.AspNetCore.Hybrid;
using Cluster.Nodes.AspNetCore.Sessions;
using Cluster.Nodes.Hosting;
using Cluster.StateStore;
using Microsoft.AspNetCore.Session;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Keeps sessions and caches of ASP.NET Core in a cluster.</summary>
public static class AspNetCoreClusterExtensions
{
    /// <summary>Keeps the sessions of <c>app.UseSession()</c> in a state of the cluster. A request reads its session
    /// with one call and sends only the keys that it has changed, so that requests of one session that change different
    /// keys at the same time lose nothing. Adds what <c>AddSession</c> adds; call <c>AddSession</c>, too, to set the
    /// idle time-out and the cookie. Must be the same on all nodes.</summary>
    /// <param name="builder">The cluster.</param>
    /// <param name="configure">Sets limits and the number of backups.</param>
    /// <exception cref="ArgumentException">Options are wrong; the message lists everything.</exception>
    public static ClusterBuilder AddClusterSession(
        this ClusterBuilder builder, Action<ClusterSessionOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var options = new ClusterSessionOptions();
        configure?.Invoke(options);
        options.ThrowIfInvalid();
        builder.AddState<string, SessionRecord>(SessionRecord.StateName, state =>
        {
            state.Backups = options.Backups;
            state.MaxValueBytes = options.MaxSessionBytes + (1 << 20);
            state.ConfigureTypes(static types => types.Allow<ReplaceState>()).ConfigureTypes(options.AddTypes);
        });
        builder.Services.AddSession();
        builder.Services.AddHttpContextAccessor();
        builder.Services.AddSingleton(options);
        builder.Services.AddScoped(typeof(ISessionState<>), typeof(SessionState<>));
        builder.Services.Replace(ServiceDescriptor.Singleton<ISessionStore, ClusterSessionStore>());
        return builder;
    }

    /// <summary>Makes <see cref="HybridCache"/> injectable, over a state of the cluster. The factory of a missing entry
    /// runs once in the whole cluster. Slim serializes the values, so their types must be on the closed list of
    /// <see cref="ClusterHybridCacheOptions.ConfigureTypes"/>. Must be the same on all nodes.</summary>
    /// <param name="builder">The cluster.</param>
    /// <param name="configure">Sets types, limits and the number of backups.</param>
    /// <exception cref="ArgumentException">Options are wrong; the message lists everything.</exception>
    public static ClusterBuilder AddClusterHybridCache(
        this ClusterBuilder builder, Action<ClusterHybridCacheOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var options = new ClusterHybridCacheOptions();
        configure?.Invoke(options);
        options.ThrowIfInvalid();
        builder.AddState<string, HybridEntry>(HybridEntry.StateName, state =>
        {
            state.Backups = options.Backups;
            state.NearCacheBytes = options.NearCacheBytes;
            state.MaxValueBytes = options.MaximumPayloadBytes;
            state.ConfigureTypes(options.AddTypes);
        });
        builder.AddState<string, TagGeneration>(TagGeneration.StateName, state =>
        {
            state.Backups = options.Backups;
            state.NearCacheBytes = options.NearCacheBytes == 0 ? 0 : ClusterHybridCacheOptions.TagCacheBytes;
            state.DefaultExpiry = StateExpiry.After(options.TagLifetime);
        });
        builder.Services
            .AddSingleton(options)
            .AddSingleton<TagGenerations>()
            .AddSingleton<ProcessEntries>()
            .AddSingleton<ClusterEntries>()
            .AddSingleton<HybridCache, ClusterHybridCache>();
        return builder;
    }
}
