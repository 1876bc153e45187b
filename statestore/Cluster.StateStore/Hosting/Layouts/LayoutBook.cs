using Cluster.Slim.Hosting;

namespace Cluster.StateStore.Hosting.Layouts;

/// <summary>The layout descriptions of one state that this process knows: those that it has written itself, and those
/// that others have told. Grows only, up to a limit. Reads take no lock; the lock orders what is added.</summary>
internal sealed class LayoutBook : ISlimKnownLayouts
{
    private readonly ConcurrentDictionary<ulong, byte[]> _known = new();
    private readonly HashSet<ulong> _own = [];
    private readonly Lock _adding = new();
    private volatile byte[][] _all = [];
    private volatile byte[][] _written = [];
    private long _bytes;

    /// <summary>All descriptions, in the order in which they came.</summary>
    public byte[][] All => _all;

    /// <summary>The descriptions of the layouts that this process writes, in the order of their first use.</summary>
    public byte[][] WrittenHere => _written;

    /// <inheritdoc />
    public byte[]? Find(ulong fingerprint) => _known.GetValueOrDefault(fingerprint);

    /// <inheritdoc />
    public void Written(ulong fingerprint, byte[] description)
    {
        lock (_adding)
        {
            if (!_own.Add(fingerprint))
                return;
            AddNeedsLock(fingerprint, description);
            _written = [.. _written, description];
        }
    }

    /// <summary>Adds a description that another process has told.</summary>
    /// <param name="description">The description; it was checked, and is never changed.</param>
    /// <param name="limits">How much the book may hold.</param>
    /// <returns>False: the book is full, and the description is not in it.</returns>
    public bool TryAdd(byte[] description, LayoutLimits limits)
    {
        var fingerprint = SlimLayouts.FingerprintOf(description);
        lock (_adding)
        {
            if (_known.ContainsKey(fingerprint))
                return true;
            if (_all.Length >= limits.CountMax || _bytes + description.Length > limits.BytesMax)
                return false;
            AddNeedsLock(fingerprint, description);
            return true;
        }
    }

    private void AddNeedsLock(ulong fingerprint, byte[] description)
    {
        if (!_known.TryAdd(fingerprint, description))
            return;
        _bytes += description.Length;
        _all = [.. _all, description];
    }
}
