using Cluster.Nodes;
using Cluster.Nodes.Hosting;
using Cluster.Nodes.Storage;
using Cluster.Nodes.Storage.Access;
using Cluster.Nodes.Storage.Settings;
using Cluster.Nodes.Storage.States;
using Cluster.Nodes.Storage.Values;
using Cluster.Nodes.Storage.Writing;
using Cluster.StateStore;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds states with a storage behind them to a cluster.</summary>
public static class StoredStateExtensions
{
    /// <summary>Adds a partitioned state with a storage behind it: what no node has in memory is read from the storage,
    /// and what is written reaches the storage. <see cref="IPartitionedState{TKey,TValue}"/> becomes injectable as for
    /// any state. Values have no expiry; the storage keeps them until they are removed. Must be the same on all nodes,
    /// and all of them reach the same storage.</summary>
    /// <typeparam name="TKey">The key type.</typeparam>
    /// <typeparam name="TValue">The value type.</typeparam>
    /// <param name="builder">The cluster.</param>
    /// <param name="name">The name, unique in the cluster.</param>
    /// <param name="configure">Names the storage, and sets the options.</param>
    /// <exception cref="ArgumentException">Name or options are wrong; the message lists everything.</exception>
    public static ClusterBuilder AddStoredState<TKey, TValue>(
        this ClusterBuilder builder, string name, Action<StoredStateOptions<TKey, TValue>> configure)
        where TKey : notnull
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(configure);
        var options = new StoredStateOptions<TKey, TValue>();
        configure(options);
        options.StateName = name;
        var settings = StoredStateSettings<TKey, TValue>.Read(name, options);
        builder.AddState<TKey, Stored<TValue>>(name, settings.Configure);
        var services = builder.Services;
        AddWriting(builder);
        services.AddKeyedSingleton(name, (provider, _) => options.Storage!(provider));
        services.AddKeyedSingleton(name, (provider, key) => new StorageAccess<TKey, TValue>(
            settings,
            provider.GetRequiredKeyedService<IStateStorage<TKey, TValue>>(key),
            ActivatorUtilities.CreateInstance<StorageHealth>(provider, name),
            provider.GetRequiredService<TimeProvider>()));
        services.AddKeyedSingleton(name, (provider, key) => new StateWriter<TKey, TValue>(
            settings,
            provider.GetRequiredKeyedService<IPartitionedState<TKey, Stored<TValue>>>(key),
            provider.GetRequiredKeyedService<StorageAccess<TKey, TValue>>(key),
            provider.GetRequiredService<StorageMetrics>(),
            provider.GetRequiredService<ICluster>()));
        services.AddSingleton<IStateWriter>(
            provider => provider.GetRequiredKeyedService<StateWriter<TKey, TValue>>(name));
        return builder.InjectState<TKey, TValue>(name, provider => new StoredState<TKey, TValue>(
            settings,
            provider.GetRequiredKeyedService<IPartitionedState<TKey, Stored<TValue>>>(name),
            provider.GetRequiredKeyedService<StorageAccess<TKey, TValue>>(name),
            ActivatorUtilities.CreateInstance<OwnerWriter<TKey>>(
                provider, provider.GetRequiredKeyedService<StateWriter<TKey, TValue>>(name)),
            provider.GetRequiredService<TimeProvider>()));
    }

    private static void AddWriting(ClusterBuilder builder)
    {
        if (builder.Services.Any(service => service.ServiceType == typeof(StorageLifetime)))
            return;
        builder.AddPeerService<IStorageWriter, StorageWriterService>();
        builder.Services.AddSingleton<StorageMetrics>();
        builder.Services.AddSingleton<TakeoverScan>();
        builder.Services.AddSingleton<StorageLifetime>();
        builder.Services.AddHostedService(provider => provider.GetRequiredService<StorageLifetime>());
    }
}
