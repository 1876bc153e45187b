using Cluster.Nodes.Storage.Files;
using Cluster.Pile.Caching;
using Cluster.Slim;
using Cluster.StateStore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Cluster.Nodes.Storage;

/// <summary>How a state with a storage behind it behaves. Read once, when the state is registered; types, copies and
/// operations are the same on every node.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
public sealed class StoredStateOptions<TKey, TValue>
    where TKey : notnull
{
    private readonly List<Type> _operations = [];
    private readonly List<Action<SlimOptions>> _types = [];

    /// <summary>Makes the storage; called once, when the host starts. The host disposes the storage.
    /// <see cref="UseFiles"/> sets it, and so do the methods of other packages.</summary>
    /// <value>Null: the state cannot be registered.</value>
    public Func<IServiceProvider, IStateStorage<TKey, TValue>>? Storage { get; set; }

    /// <summary>Whether a write is acknowledged when the storage has it, or before.</summary>
    /// <value><see cref="StorageWrites.Through"/>.</value>
    public StorageWrites Writes { get; set; } = StorageWrites.Through;

    /// <summary>How long a write waits for later ones of the same key, with which it is stored as one. Used by
    /// <see cref="StorageWrites.Behind"/> alone.</summary>
    /// <value>1 second; from zero to 10 minutes.</value>
    public TimeSpan WriteDelay { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How many keys each node stores at the same time.</summary>
    /// <value>8; from 1 to 1,024.</value>
    public int Parallelism { get; set; } = 8;

    /// <summary>How many keys of each node may wait to be stored. When that many keys wait,
    /// further writes wait for room.</summary>
    /// <value>100,000; from 1 to 10 million.</value>
    public int MaxWaitingKeys { get; set; } = 100_000;

    /// <summary>How long one load, or one attempt to store a value, may take.</summary>
    /// <value>5 seconds; from 10 milliseconds to 25 seconds.</value>
    public TimeSpan StorageTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How long a value stays in memory after it was read or written last. The storage keeps it. A value that
    /// the storage does not have yet stays in memory until it does.</summary>
    /// <value>Null: for ever, as long as its nodes live. Otherwise from one minute to 34 years.</value>
    public TimeSpan? KeepInMemory { get; set; }

    /// <summary>As <see cref="StateOptions{TKey,TValue}.Backups"/>. With 0, a node that dies takes the writes with it
    /// that the storage does not have yet.</summary>
    /// <value>Null: the number of <c>Cluster:Backups</c>.</value>
    public int? Backups { get; set; }

    /// <summary>As <see cref="StateOptions{TKey,TValue}.MinInSync"/>.</summary>
    /// <value>1.</value>
    public int MinInSync { get; set; } = 1;

    /// <summary>As <see cref="StateOptions{TKey,TValue}.MaxValueBytes"/>.</summary>
    /// <value>1 MiB.</value>
    public int MaxValueBytes { get; set; } = 1 << 20;

    /// <summary>As <see cref="StateOptions{TKey,TValue}.Reads"/>.</summary>
    /// <value><see cref="StateReads.Linearizable"/>.</value>
    public StateReads Reads { get; set; } = StateReads.Linearizable;

    /// <summary>As <see cref="StateOptions{TKey,TValue}.NearCacheBytes"/>.</summary>
    /// <value>0: nothing is kept.</value>
    public long NearCacheBytes { get; set; }

    /// <summary>As <see cref="StateOptions{TKey,TValue}.KeyCodec"/>. The bytes are also the key in the storages of
    /// these libraries.</summary>
    /// <value>Null: strings, integers, Guids and byte arrays.</value>
    public IKeyCodec<TKey>? KeyCodec { get; set; }

    /// <summary>The name of the state, which it gets when it is added.</summary>
    internal string StateName { get; set; } = "";

    internal IReadOnlyList<Type> Operations => _operations;

    internal IReadOnlyList<Action<SlimOptions>> TypeConfigurations => _types;

    /// <summary>Keeps the values in files of a folder, one for each key. All nodes need the same folder: use it on one
    /// machine. A folder that other users can change is refused, and so is that of another state or cluster: the node
    /// does not start, with a <see cref="ClusterStartException"/>.</summary>
    /// <param name="folder">The folder, for this state alone; created where it is missing.</param>
    public StoredStateOptions<TKey, TValue> UseFiles(string folder)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(folder);
        Storage = provider => FileStateStorage<TKey, TValue>.Open(
            folder,
            CreateFormat(),
            new StorageOwner(provider.GetRequiredService<IOptions<ClusterOptions>>().Value.Name, StateName),
            provider.GetRequiredService<TimeProvider>());
        return this;
    }

    /// <summary>Allows an operation type. Those declared in the assembly of <typeparamref name="TValue"/> are allowed
    /// without this.</summary>
    /// <typeparam name="TOperation">Implements <see cref="IStateOperation{TState,TResult}"/> for this value
    /// type.</typeparam>
    public StoredStateOptions<TKey, TValue> AllowOperation<TOperation>()
    {
        _operations.Add(typeof(TOperation));
        return this;
    }

    /// <summary>Adds to the closed list of types that values, operations, results and what operations throw may
    /// contain. Counts for the storage, too.</summary>
    /// <param name="configure">Adds types or codecs; the schema and the profile are the state's own.</param>
    public StoredStateOptions<TKey, TValue> ConfigureTypes(Action<SlimOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        _types.Add(configure);
        return this;
    }

    /// <summary>The form of keys and values as bytes, for storages that keep bytes. Call it when the storage is made:
    /// it takes the key codec and the types that are set by then.</summary>
    /// <exception cref="ArgumentException">The key type has no form as bytes, and there is no codec.</exception>
    public StorageFormat<TKey, TValue> CreateFormat() => new(KeyCodec, MaxValueBytes, _types);
}
