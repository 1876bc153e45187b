namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>Counts the callers of this process that wait for each missing value, so that the factory is told when the
/// last one has given up. The lock protects the counts.</summary>
internal sealed class WaitingCallers
{
    private readonly Dictionary<string, Group> _groups = [];
    private readonly Lock _lock = new();

    /// <summary>Notes a caller. It disposes its place when it waits no more.</summary>
    public Place Enter(string key)
    {
        lock (_lock)
        {
            if (!_groups.TryGetValue(key, out var group))
                _groups[key] = group = new Group();
            group.Count++;
            return new Place(this, key, group);
        }
    }

    private void Leave(string key, Group group)
    {
        lock (_lock)
        {
            if (--group.Count > 0)
                return;
            _groups.Remove(key);
        }

        // A value may use the token after its factory has ended. The factory may still run, so nothing is disposed.
        if (!group.HasValue)
            group.Abandoned.Cancel();
    }

    /// <summary>The callers that wait for one value.</summary>
    public sealed class Group
    {
        private volatile bool _hasValue;

        /// <summary>How many they are.</summary>
        public int Count { get; set; }

        /// <summary>Whether one of them has got a value.</summary>
        public bool HasValue
        {
            get => _hasValue;
            set => _hasValue = value;
        }

        /// <summary>Is cancelled when the last one has left without a value.</summary>
        public CancellationTokenSource Abandoned { get; } = new();
    }

    /// <summary>The place of one caller.</summary>
    public readonly struct Place(WaitingCallers callers, string key, Group group) : IDisposable
    {
        /// <summary>Ends when no caller waits for the value any more.</summary>
        public CancellationToken Abandoned => group.Abandoned.Token;

        /// <summary>Notes that the caller has got a value.</summary>
        public void Complete() => group.HasValue = true;

        /// <inheritdoc />
        public void Dispose() => callers.Leave(key, group);
    }
}
