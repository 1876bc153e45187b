namespace Cluster.Nodes.AspNetCore.Sessions;

/// <summary>The values of a session as one request sees them, with what the request has changed. Used by one thread at
/// a time, as <c>ISession</c> is.</summary>
/// <param name="options">The limits.</param>
/// <param name="refusals">Where it counts what it refuses.</param>
internal sealed class SessionContent(ClusterSessionOptions options, SessionRefusals refusals)
{
    private readonly Dictionary<string, byte[]> _values = [];

    // Null stands for a removed value.
    private Dictionary<string, byte[]?> _changes = [];
    private bool _isCleared;
    private bool _hasStates;
    private long _bytes;

    /// <summary>Whether the request has changed something that is not saved.</summary>
    public bool IsModified { get; private set; }

    /// <summary>The keys.</summary>
    public IEnumerable<string> Keys => _values.Keys;

    /// <summary>Takes over the values of a loaded session.</summary>
    public void Fill(SessionRecord session)
    {
        foreach (var (key, value) in session.Values)
            _values[key] = value;
        (_bytes, _hasStates) = (session.CountBytes(), session.States.Count > 0);
    }

    /// <summary>Finds a value.</summary>
    public bool TryGet(string key, [NotNullWhen(true)] out byte[]? value) => _values.TryGetValue(key, out value);

    /// <summary>Sets a value.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The key is too long.</exception>
    /// <exception cref="SessionLimitException">The value or the session is too large.</exception>
    public void Set(string key, byte[] value)
    {
        var bytes = _bytes + SessionRecord.BytesOf(key, value) - BytesOf(key);
        if (bytes > options.MaxSessionBytes && bytes > _bytes)
        {
            refusals.NoteTooLarge();
            throw new SessionLimitException(
                nameof(options.MaxSessionBytes), options.MaxSessionBytes, bytes, "The session with the new value");
        }

        byte[] copy = [.. value];
        (_values[key], _changes[key], _bytes, IsModified) = (copy, copy, bytes, true);
    }

    /// <summary>Refuses a key or a value that no session may have.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The key is too long.</exception>
    /// <exception cref="SessionLimitException">The value is too large.</exception>
    public void Check(string key, byte[] value)
    {
        if (key.Length > options.MaxKeyLength)
        {
            refusals.NoteLongKey();
            throw new ArgumentOutOfRangeException(
                nameof(key),
                $"The key has {key.Length} characters, but ClusterSessionOptions.MaxKeyLength is "
                + $"{options.MaxKeyLength}. Use a shorter key, or raise MaxKeyLength in AddClusterSession.");
        }

        if (value.Length > options.MaxValueBytes)
        {
            refusals.NoteTooLarge();
            throw new SessionLimitException(
                nameof(options.MaxValueBytes), options.MaxValueBytes, value.Length, "The value");
        }
    }

    /// <summary>Removes a value.</summary>
    public void Remove(string key)
    {
        var bytes = BytesOf(key);
        if (!_values.Remove(key))
            return;
        (_changes[key], _bytes, IsModified) = (null, _bytes - bytes, true);
    }

    /// <summary>Removes all values, the typed ones among them.</summary>
    public void Clear()
    {
        if (_values.Count == 0 && !_hasStates)
            return;
        _values.Clear();
        _changes.Clear();
        (_isCleared, _hasStates, _bytes, IsModified) = (true, false, 0, true);
    }

    /// <summary>The whole session, for a session that the cluster does not have.</summary>
    public SessionRecord ToRecord(Guid id) => new() { Id = id, Values = new(_values) };

    /// <summary>What the request has changed, for a session that the cluster has.</summary>
    public ChangeSession ToChange() => new(_isCleared, _changes, options.MaxSessionBytes);

    /// <summary>Notes that the changes are saved.</summary>
    public void MarkSaved() => (_changes, _isCleared, IsModified) = ([], false, false);

    private long BytesOf(string key) =>
        _values.TryGetValue(key, out var value) ? SessionRecord.BytesOf(key, value) : 0;
}
