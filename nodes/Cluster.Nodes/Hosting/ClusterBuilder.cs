using Cluster.Glue;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Routing;
using Cluster.Nodes.Stores;
using Cluster.StateStore;
using Cluster.StateStore.Hosting.States;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace Cluster.Nodes.Hosting;

/// <summary>Composes what this process is in the cluster: returned by <c>AddCluster</c>, used while the host is built,
/// by one thread. Without a <c>Use…</c> call the cluster lives in this process alone.</summary>
public sealed class ClusterBuilder
{
    private readonly ClusterComposition _composition;
    private readonly GlueServerBuilder _glue;

    internal ClusterBuilder(IServiceCollection services, ClusterComposition composition, GlueServerBuilder glue)
    {
        Services = services;
        _composition = composition;
        _glue = glue;
    }

    /// <summary>The container that the node is composed in.</summary>
    public IServiceCollection Services { get; }

    /// <summary>Keeps the cluster's table in this process: one node, no files, nothing survives it.</summary>
    public ClusterBuilder UseInMemoryStore()
    {
        _composition.ChooseStore(nameof(UseInMemoryStore), StoreBootstrap.ByItself, SecretOrigin.Process);
        return this;
    }

    /// <summary>Keeps the cluster's table in a folder that all nodes of one machine share.</summary>
    /// <param name="path">The folder, on a local disk; created where it is missing.</param>
    public ClusterBuilder UseFileStore(string path)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        return UseStoreCore(
            nameof(UseFileStore), StoreBootstrap.ByItself, SecretOrigin.Folder,
            provider => StoreFactory.OpenFileStore(provider, path));
    }

    /// <summary>Keeps the cluster's table in a store made by the caller. <c>UseConsul</c> is built on this.</summary>
    /// <param name="create">Makes the store; called once, when the host starts. The host disposes the store.</param>
    /// <param name="bootstrap">Who may create the cluster in it.</param>
    public ClusterBuilder UseStore(
        Func<IServiceProvider, IClusterStore> create, StoreBootstrap bootstrap = StoreBootstrap.OnRequest)
    {
        ArgumentNullException.ThrowIfNull(create);
        return UseStoreCore(nameof(UseStore), bootstrap, SecretOrigin.Configuration, create);
    }

    /// <summary>Offers a service to the cluster.</summary>
    /// <typeparam name="TContract">A plain interface.</typeparam>
    /// <typeparam name="TImplementation">Its implementation, created by the container.</typeparam>
    /// <param name="mode">How long one object lives.</param>
    public ClusterBuilder AddService<TContract, TImplementation>(GlueInstanceMode mode = GlueInstanceMode.PerCall)
        where TContract : class
        where TImplementation : class, TContract
    {
        _composition.OfferService(typeof(TContract).FullName!);
        _glue.AddService<TContract, TImplementation>(mode);
        return this;
    }

    /// <summary>Serves a plain gRPC service beside the cluster's, and tells the cluster that it is here: gRPC clients
    /// of any process of the cluster reach it by <c>cluster:///name</c>.</summary>
    /// <typeparam name="TService">The implementation, which derives from the generated base class.</typeparam>
    /// <param name="name">The name that clients use: by custom the full name of the gRPC service, which the generated
    /// <c>Descriptor.FullName</c> gives.</param>
    public ClusterBuilder AddGrpcService<TService>(string name)
        where TService : class
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        _composition.OfferService(name);
        _glue.MapEndpoints(static endpoints => endpoints.MapGrpcService<TService>());
        return this;
    }

    /// <summary>Makes <typeparamref name="TContract"/> injectable: its calls go to this process where it offers the
    /// contract itself, otherwise to the live nodes that do, evenly. <see cref="IClusterClient{TContract}"/> becomes
    /// injectable, too, for calls to the owner of a key.</summary>
    /// <typeparam name="TContract">A plain interface.</typeparam>
    /// <param name="configure">Sets options of all proxies of the contract, such as retries and hedging. Runs when the
    /// first one is made.</param>
    public ClusterBuilder AddClient<TContract>(Action<GlueProxyOptions>? configure = null)
        where TContract : class
    {
        Services.AddSingleton<IClusterClient<TContract>>(provider =>
        {
            var options = new GlueProxyOptions();
            configure?.Invoke(options);
            return ActivatorUtilities.CreateInstance<ClusterClient<TContract>>(provider, options);
        });
        Services.AddSingleton(static provider => provider.GetRequiredService<IClusterClient<TContract>>().Any);
        return this;
    }

    /// <summary>Offers a service to the nodes and clients of the cluster, and to nobody else: a caller proves the
    /// cluster's secret. For libraries that are built on the cluster.</summary>
    /// <typeparam name="TContract">A plain interface.</typeparam>
    /// <typeparam name="TImplementation">Its implementation, a singleton of the container.</typeparam>
    public ClusterBuilder AddPeerService<TContract, TImplementation>()
        where TContract : class
        where TImplementation : class, TContract
    {
        _glue.AddService<TContract, TImplementation>(GlueInstanceMode.Singleton, audience: GlueAudience.Peers);
        Services.TryAddSingleton<IOwnerClient<TContract>, OwnerClient<TContract>>();
        return this;
    }

    /// <summary>Adds a partitioned state: <see cref="IPartitionedState{TKey,TValue}"/> becomes injectable, keyed by its
    /// name, and without a key where these types have only one state. Must be the same on all nodes.</summary>
    /// <typeparam name="TKey">The key type.</typeparam>
    /// <typeparam name="TValue">The value type.</typeparam>
    /// <param name="name">The name, unique in the cluster.</param>
    /// <param name="configure">Sets the state's options.</param>
    /// <exception cref="ArgumentException">Name or options are wrong; the message lists everything.</exception>
    public ClusterBuilder AddState<TKey, TValue>(string name, Action<StateOptions<TKey, TValue>>? configure = null)
        where TKey : notnull
    {
        var definition = StateDefinition.Create(name, configure);
        _composition.AddState(definition);
        Services.AddKeyedSingleton(
            name,
            (provider, _) =>
                new RoutedState<TKey, TValue>(definition, provider.GetRequiredService<StateRouting>()));
        Services.AddKeyedSingleton<IKeyedState<TKey>>(
            name, (provider, key) => provider.GetRequiredKeyedService<RoutedState<TKey, TValue>>(key));
        return InjectState<TKey, TValue>(
            name, provider => provider.GetRequiredKeyedService<RoutedState<TKey, TValue>>(name));
    }

    /// <summary>Makes an object injectable as a state, keyed by a name, and without a key where no other state has
    /// these types. <see cref="AddState"/> does this for each state. For libraries that build a state on another
    /// one.</summary>
    /// <typeparam name="TKey">The key type.</typeparam>
    /// <typeparam name="TValue">The value type.</typeparam>
    /// <param name="name">The name.</param>
    /// <param name="create">Makes the object; called at most once.</param>
    public ClusterBuilder InjectState<TKey, TValue>(
        string name, Func<IServiceProvider, IPartitionedState<TKey, TValue>> create)
        where TKey : notnull
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        ArgumentNullException.ThrowIfNull(create);
        Services.AddKeyedSingleton(name, (provider, _) => create(provider));
        Services.TryAddSingleton(FindOnly<TKey, TValue>);
        return this;
    }

    /// <summary>Adds a state whose values can be made again, as <see cref="AddState"/> does: where its options name no
    /// number of backups, it has none, so that a value is lost with its node.</summary>
    /// <typeparam name="TKey">The key type.</typeparam>
    /// <typeparam name="TValue">The value type.</typeparam>
    /// <param name="name">The name, unique in the cluster.</param>
    /// <param name="configure">Sets the state's options.</param>
    /// <exception cref="ArgumentException">Name or options are wrong; the message lists everything.</exception>
    public ClusterBuilder AddCache<TKey, TValue>(string name, Action<StateOptions<TKey, TValue>>? configure = null)
        where TKey : notnull => AddState<TKey, TValue>(name, options =>
    {
        configure?.Invoke(options);
        options.Backups ??= 0;
    });

    private IPartitionedState<TKey, TValue> FindOnly<TKey, TValue>(IServiceProvider provider)
        where TKey : notnull
    {
        var type = typeof(IPartitionedState<TKey, TValue>);
        object[] names =
        [
            .. Services.Where(service => service.IsKeyedService && service.ServiceType == type)
                .Select(service => service.ServiceKey!),
        ];
        if (names is [var only])
            return provider.GetRequiredKeyedService<IPartitionedState<TKey, TValue>>(only);
        throw new InvalidOperationException(
            $"The states {string.Join(", ", names)} have the same types; "
            + "name the one you mean with [FromKeyedServices(\"…\")].");
    }

    private ClusterBuilder UseStoreCore(
        string choice, StoreBootstrap bootstrap, SecretOrigin secrets, Func<IServiceProvider, IClusterStore> create)
    {
        _composition.ChooseStore(choice, bootstrap, secrets);
        Services.Replace(ServiceDescriptor.Singleton(create));
        return this;
    }
}
