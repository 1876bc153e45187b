using Cluster.Pile.Caching;
using Cluster.Slim;

namespace Cluster.StateStore;

/// <summary>How one state behaves. Read once, when the state is registered; the same on every node.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
public sealed class StateOptions<TKey, TValue>
    where TKey : notnull
{
    private readonly List<Type> _operations = [];
    private readonly List<Action<SlimOptions>> _types = [];

    /// <summary>When a value goes away whose write names no expiry.</summary>
    /// <value><see cref="StateExpiry.Never"/>.</value>
    public StateExpiry DefaultExpiry { get; set; } = StateExpiry.Never;

    /// <summary>The largest serialized value, in bytes; from 1 to 64 MiB. A larger one is refused at the
    /// caller.</summary>
    /// <value>1 MiB.</value>
    public int MaxValueBytes { get; set; } = 1 << 20;

    /// <summary>How many other nodes keep a copy of each value. A write is acknowledged when all copies have it. When a
    /// node dies, a node with a copy goes on. Where fewer nodes are active, there are fewer copies.</summary>
    /// <value>Null: the number of <c>Cluster:Backups</c>. Otherwise 0 to 3; with 0, a value lives on one node and is
    /// lost with it. The first node with the state that joins decides; a node with another number does not start.
    /// Clients need no number.</value>
    public int? Backups { get; set; }

    /// <summary>How many nodes must have a copy, the owner among them, so that a write is carried out. With fewer, a
    /// write waits until its deadline and ends as <see cref="StateUnavailableException"/>; reads go on.</summary>
    /// <value>1, at most <see cref="Backups"/> + 1. With 2, an acknowledged write never lives on one node
    /// alone.</value>
    public int MinInSync { get; set; } = 1;

    /// <summary>How new the values are that reads give.</summary>
    /// <value><see cref="StateReads.Linearizable"/>.</value>
    public StateReads Reads { get; set; } = StateReads.Linearizable;

    /// <summary>How much native memory each process may use to keep values that it has read from other nodes. Reads of
    /// kept values need no call and give a value that is at most two seconds old; a change is told to the process
    /// mostly within milliseconds, and a write of the process itself at once. Values with a sliding expiry are not
    /// kept.</summary>
    /// <value>0: nothing is kept. Otherwise at least 4 MiB, and the reads of the state are not strict.</value>
    public long NearCacheBytes { get; set; }

    /// <summary>How keys become bytes. Needed only for key types that the library does not know. The bytes decide which
    /// partition a key belongs to, so the codec gives the same bytes in every process and for ever.</summary>
    /// <value>Null: strings, integers, Guids and byte arrays.</value>
    public IKeyCodec<TKey>? KeyCodec { get; set; }

    internal IReadOnlyList<Type> Operations => _operations;

    internal IReadOnlyList<Action<SlimOptions>> TypeConfigurations => _types;

    /// <summary>Allows an operation type. Those declared in the assembly of <typeparamref name="TValue"/> are allowed
    /// without this.</summary>
    /// <typeparam name="TOperation">Implements <see cref="IStateOperation{TState,TResult}"/> for this value
    /// type.</typeparam>
    public StateOptions<TKey, TValue> AllowOperation<TOperation>() => AllowOperation(typeof(TOperation));

    /// <summary>Allows an operation type, as <see cref="AllowOperation{TOperation}"/> does.</summary>
    /// <param name="operation">Implements <see cref="IStateOperation{TState,TResult}"/> for this value type.</param>
    public StateOptions<TKey, TValue> AllowOperation(Type operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        _operations.Add(operation);
        return this;
    }

    /// <summary>Adds to the closed list of types that values, operations, results and what operations throw may
    /// contain. An exception of your own comes back as itself once its type is added; without that it comes back as
    /// <c>RemoteException</c>, also on the owner itself.</summary>
    /// <param name="configure">Adds types or codecs; the schema and the profile are the state's own.</param>
    public StateOptions<TKey, TValue> ConfigureTypes(Action<SlimOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        _types.Add(configure);
        return this;
    }
}
