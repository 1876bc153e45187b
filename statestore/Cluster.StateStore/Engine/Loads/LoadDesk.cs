using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Engine.Loads;

/// <summary>Knows for each key without a value which caller loads the value: one caller of the whole cluster, while
/// the others wait. Any other write of the key ends the right to store what was loaded, because that may be older. Used
/// under the engine's lock.</summary>
internal sealed class LoadDesk
{
    // More are looked through for those that are over.
    private const int LoadsMax = 65_536;

    private readonly Dictionary<StateKey, Load> _loads = [];

    /// <summary>Gives a caller the right to load a value, again if it asks again.</summary>
    /// <param name="key">The key, which has no value.</param>
    /// <param name="token">The number that the caller has chosen.</param>
    /// <param name="until">When another caller may load it.</param>
    /// <param name="now">The moment.</param>
    /// <returns>Null if the caller has the right; else a task that ends when another caller's right ends.</returns>
    public Task? Begin(in StateKey key, long token, long until, Moment now)
    {
        if (_loads.TryGetValue(key, out var known))
        {
            if (known.Token == token)
                return null;
            if (known.Until > now.Ticks)
                return known.Ended.Task;
            End(key, known.Token);
        }

        if (_loads.Count >= LoadsMax)
            DropOver(now);
        _loads[key.Copy()] = new Load(token, until);
        return null;
    }

    /// <summary>Whether a write may be carried out: it stores no loaded value, or its caller has the right
    /// to.</summary>
    public bool Admits(in StateKey key, long token, Moment now) => token == 0
        || (_loads.TryGetValue(key, out var load) && load.Token == token && load.Until > now.Ticks);

    /// <summary>Ends the right to load the value of a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="token">The number of the caller; zero: that of any caller.</param>
    /// <returns>Whether there was one.</returns>
    public bool End(in StateKey key, long token)
    {
        if (_loads.Count == 0 || !_loads.TryGetValue(key, out var load) || (token != 0 && load.Token != token))
            return false;
        _loads.Remove(key);
        load.Ended.TrySetResult();
        return true;
    }

    private void DropOver(Moment now)
    {
        foreach (var (key, load) in _loads)
        {
            if (load.Until <= now.Ticks)
                End(key, load.Token);
        }
    }

    /// <summary>The right of one caller. Its task ends with it.</summary>
    private sealed class Load(long token, long until)
    {
        public long Token { get; } = token;

        public long Until { get; } = until;

        public TaskCompletionSource Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
