using Cluster.Nodes.AspNetCore.Sessions;
using Cluster.Slim;

namespace Cluster.Nodes.AspNetCore;

/// <summary>How sessions are kept in the cluster. Read once, while the host is built, and the same on every node. The
/// idle time-out, the time-out of loading and saving, and the cookie are set as always, by
/// <see cref="Microsoft.AspNetCore.Builder.SessionOptions"/>.</summary>
public sealed class ClusterSessionOptions
{
    /// <summary>The largest limit of a session, in bytes.</summary>
    internal const int MaxSessionBytesLimit = 32 << 20;

    private readonly Dictionary<Type, Action<SlimOptions>> _states = [];

    /// <summary>How many other nodes keep a copy of each session.</summary>
    /// <value>Null: the number of <c>Cluster:Backups</c>. Otherwise 0 to 3; with 0, a session is lost with its
    /// node.</value>
    public int? Backups { get; set; }

    /// <summary>The longest key of a value in a session, in characters. <c>Set</c> refuses a longer one with
    /// <see cref="ArgumentOutOfRangeException"/>.</summary>
    /// <value>65,535, which is also the largest possible number.</value>
    public int MaxKeyLength { get; set; } = ushort.MaxValue;

    /// <summary>The largest single value of a session, in bytes. <c>Set</c> refuses a larger one with
    /// <see cref="SessionLimitException"/>.</summary>
    /// <value>1 MiB; at least 1, at most <see cref="MaxSessionBytes"/>.</value>
    public int MaxValueBytes { get; set; } = 1 << 20;

    /// <summary>The largest session, in bytes: its values, two bytes for each character of a key, and 16 bytes for each
    /// key. <c>Set</c> refuses what makes the session larger with <see cref="SessionLimitException"/>, and so does
    /// <c>CommitAsync</c> when other requests have made the session larger meanwhile.</summary>
    /// <value>2 MiB; from 1 KiB to 32 MiB.</value>
    public int MaxSessionBytes { get; set; } = 2 << 20;

    /// <summary>Gives sessions a typed value: <see cref="ISessionState{T}"/> becomes injectable.</summary>
    /// <typeparam name="T">Any class; it needs no attributes. Its full name is the name of the value.</typeparam>
    /// <param name="configure">Sets operations and types.</param>
    /// <exception cref="ArgumentException">An operation is none for <typeparamref name="T"/>.</exception>
    public ClusterSessionOptions AddState<T>(Action<SessionStateOptions<T>>? configure = null)
        where T : class
    {
        var options = new SessionStateOptions<T>();
        configure?.Invoke(options);
        _states[typeof(T)] = SessionStateTypes.Find(options);
        return this;
    }

    /// <summary>Whether sessions have a typed value of a type.</summary>
    internal bool HasState(Type type) => _states.ContainsKey(type);

    /// <summary>Adds what typed values contain to the options of a serializer.</summary>
    internal void AddTypes(SlimOptions types)
    {
        foreach (var add in _states.Values)
            add(types);
    }

    /// <summary>Refuses options that cannot work, with all problems.</summary>
    internal void ThrowIfInvalid()
    {
        var problems = new List<string>();
        if (MaxKeyLength is < 1 or > ushort.MaxValue)
            problems.Add($"MaxKeyLength is {MaxKeyLength}; it must be from 1 to {ushort.MaxValue}");
        if (MaxSessionBytes is < 1_024 or > MaxSessionBytesLimit)
            problems.Add($"MaxSessionBytes is {MaxSessionBytes}; it must be from 1024 to {MaxSessionBytesLimit}");
        if (MaxValueBytes < 1 || MaxValueBytes > MaxSessionBytes)
            problems.Add($"MaxValueBytes is {MaxValueBytes}; it must be from 1 to MaxSessionBytes");
        if (problems.Count > 0)
            throw new ArgumentException($"AddClusterSession: {string.Join("; ", problems)}.");
    }
}
