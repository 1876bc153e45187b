using Cluster.Nodes;
using Cluster.Nodes.AspNetCore;
using Cluster.Nodes.AspNetCore.Caching;
using Cluster.Nodes.AspNetCore.Hybrid;
using Cluster.Nodes.AspNetCore.Output;
using Cluster.Nodes.AspNetCore.Protection;
using Cluster.Nodes.AspNetCore.Refusals;
using Cluster.Nodes.AspNetCore.Sessions;
using Cluster.Nodes.Hosting;
using Cluster.StateStore;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.DataProtection.KeyManagement;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.AspNetCore.Session;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Keeps what ASP.NET Core remembers in the cluster.</summary>
public static class AspNetCoreClusterExtensions
{
    private const string TagsSuffix = "-tags";

    // A key has less than 5 KB, also with a certificate, and there is a new one every 90 days.
    private const int MaxKeyRingBytes = 8 << 20;

    /// <summary>Makes <see cref="IDistributedCache"/> and <see cref="IBufferDistributedCache"/> injectable, over a
    /// state of the cluster; keyed by the name, too. Without a key, the cache that was added first is injected. Must be
    /// the same on all nodes.</summary>
    /// <param name="builder">The cluster.</param>
    /// <param name="name">The name of the state, unique in the cluster.</param>
    /// <param name="configure">Sets the options of the cache.</param>
    /// <exception cref="ArgumentException">Name or options are wrong; the message lists everything.</exception>
    public static ClusterBuilder AddDistributedCache(
        this ClusterBuilder builder, string name = "distributed-cache", Action<ClusterCacheOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var options = new ClusterCacheOptions();
        configure?.Invoke(options);
        options.ThrowIfInvalid(name);
        builder.AddState<string, CachedValue>(name, state =>
        {
            state.Backups = options.Backups;
            state.DefaultExpiry = options.DefaultExpiry;
            state.MaxValueBytes = options.MaxValueBytes + CachedValueCodec.OverheadBytes;
            state.ConfigureTypes(static types => types.AddCodec(new CachedValueCodec()));
        });
        AddCacheServices(builder.Services, name, options);
        builder.Services.TryAddSingleton<RefusalMetrics>();
        AddKeyRingCheck(builder.Services);
        return builder;
    }

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
        builder.Services.AddSingleton<SessionRefusals>();
        builder.Services.Replace(ServiceDescriptor.Singleton<ISessionStore, ClusterSessionStore>());
        builder.Services.TryAddSingleton<RefusalMetrics>();
        AddKeyRingCheck(builder.Services);
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
            .AddSingleton<HybridRefusals>()
            .AddSingleton<EntrySerializer>()
            .AddSingleton<ProcessEntries>()
            .AddSingleton<SharedEntries>()
            .AddSingleton<ClusterEntries>()
            .AddSingleton<HybridCache, ClusterHybridCache>();
        builder.Services.TryAddSingleton<RefusalMetrics>();
        return builder;
    }

    /// <summary>Keeps the responses of the output cache in states of the cluster, where all nodes find them. The output
    /// cache itself is added and used as always, by <c>AddOutputCache</c> and <c>UseOutputCache</c>. Must be the same
    /// on all nodes.</summary>
    /// <param name="builder">The cluster.</param>
    /// <param name="name">The name of the state of the responses, unique in the cluster. The state of their tags has
    /// <c>-tags</c> behind it.</param>
    /// <param name="configure">Sets the options of the store.</param>
    /// <exception cref="ArgumentException">Name or options are wrong; the message lists everything.</exception>
    public static ClusterBuilder AddOutputCacheStore(
        this ClusterBuilder builder, string name = "output-cache", Action<ClusterOutputCacheOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var options = new ClusterOutputCacheOptions();
        configure?.Invoke(options);
        options.ThrowIfInvalid(name);
        var tags = name + TagsSuffix;
        builder
            .AddState<string, CachedOutput>(name, state =>
            {
                state.Backups = options.Backups;
                state.MaxValueBytes = options.MaxValueBytes + CachedOutputCodec.OverheadBytes;
                state.ConfigureTypes(static types => types.AddCodec(new CachedOutputCodec()));
            })
            .AddState<string, TagStamp>(tags, state => state.Backups = options.Backups);
        builder.Services.AddSingleton<IOutputCacheStore>(provider => new ClusterOutputCacheStore(
            provider.GetRequiredKeyedService<IPartitionedState<string, CachedOutput>>(name),
            provider.GetRequiredKeyedService<IPartitionedState<string, TagStamp>>(tags),
            options,
            provider.GetRequiredService<RefusalMetrics>()));
        builder.Services.TryAddSingleton<RefusalMetrics>();
        return builder;
    }

    /// <summary>Keeps the keys of Data Protection in a state of the cluster, so that each node reads the cookies of the
    /// others. Call it after <c>AddCluster</c>. Set the same application name on all nodes
    /// (<c>SetApplicationName</c>), and protect the keys in the state with <c>ProtectKeysWithCertificate</c>: without
    /// it, they lie there as they are. The keys are lost when all nodes that have them end at the same time; set
    /// <see cref="ClusterOptions.SnapshotFolder"/> where they must outlive that.</summary>
    /// <param name="builder">The Data Protection of this host.</param>
    /// <param name="name">The name of the state, unique in the cluster.</param>
    /// <param name="backups">How many other nodes have a copy of the keys, from 0 to 3; by default the number of
    /// <see cref="ClusterOptions.Backups"/>. With 0, the keys are lost with their node.</param>
    /// <exception cref="InvalidOperationException">The host is not a part of a cluster yet.</exception>
    /// <exception cref="ArgumentException">Name or number are wrong; the message lists everything.</exception>
    public static IDataProtectionBuilder PersistKeysToCluster(
        this IDataProtectionBuilder builder, string name = "data-protection-keys", int? backups = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        FindCluster(builder.Services).AddState<string, StoredKeys>(name, state =>
        {
            state.Backups = backups;
            state.MaxValueBytes = MaxKeyRingBytes;
        });
        builder.Services.AddOptions<KeyManagementOptions>().Configure<IServiceProvider>((options, provider) =>
            options.XmlRepository = new ClusterKeyRepository(
                provider.GetRequiredKeyedService<IPartitionedState<string, StoredKeys>>(name)));
        return builder;
    }

    private static void AddCacheServices(IServiceCollection services, string name, ClusterCacheOptions options)
    {
        services
            .AddKeyedSingleton(name, (provider, key) => new ClusterDistributedCache(
                provider.GetRequiredKeyedService<IPartitionedState<string, CachedValue>>(key),
                options,
                provider.GetRequiredService<RefusalMetrics>(),
                provider.GetRequiredService<TimeProvider>()))
            .AddKeyedSingleton<IDistributedCache>(name, FindCache)
            .AddKeyedSingleton<IBufferDistributedCache>(name, FindCache);
        var isFirst = !services.Any(
            static service => service.ServiceType == typeof(ClusterDistributedCache) && !service.IsKeyedService);
        if (!isFirst)
            return;
        services
            .AddSingleton(provider => FindCache(provider, name))
            .AddSingleton<IDistributedCache>(static provider => provider.GetRequiredService<ClusterDistributedCache>())
            .AddSingleton<IBufferDistributedCache>(
                static provider => provider.GetRequiredService<ClusterDistributedCache>());
    }

    private static ClusterDistributedCache FindCache(IServiceProvider provider, object? name) =>
        provider.GetRequiredKeyedService<ClusterDistributedCache>(name);

    private static ClusterBuilder FindCluster(IServiceCollection services) => services
        .Select(static service => service.IsKeyedService ? null : service.ImplementationInstance)
        .OfType<ClusterBuilder>()
        .FirstOrDefault()
        ?? throw new InvalidOperationException(
            $"{nameof(PersistKeysToCluster)} needs the cluster of this host. Call builder.AddCluster() before it.");

    private static void AddKeyRingCheck(IServiceCollection services) =>
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, KeyRingCheck>());
}
