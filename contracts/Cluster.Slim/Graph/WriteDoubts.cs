using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;
using Cluster.Slim.Roots;

namespace Cluster.Slim.Graph;

/// <summary>Foresees the cost of reading the message that is being written, and the reasons for which a read could
/// fail, so that a written message can be read under the same options. The figures are never lower than those of a
/// reader. Where one crosses its limit, or where no figure decides, the root is read once to find out, see
/// <see cref="KeyProof"/>. Owned by one writer.</summary>
internal sealed class WriteDoubts
{
    // The memory of a reader's walk to the keys of waiting collections: a node for each object and each part of it.
    private const int WalkBytes = 128;
    private const int NodesPerObject = 4;

    private const int CodecBytes = 512;
    private const int CodecBytesPerByte = 256;

    private readonly KeyLedger _keys = new(isWriting: true);
    private long _bytes;
    private long _bytesMax;
    private long _callbackCount;
    private int _rootCount;
    private bool _isTouched;
    private bool _hasWaiting;
    private bool _isUncertain;

    /// <summary>Whether a check for doubts is needed; for most messages it is not.</summary>
    public bool MayExist => _bytes > _bytesMax || _isTouched;

    /// <summary>Whether the message contains objects that a reader completes only at the end.</summary>
    public bool HasWaiting { get => _hasWaiting; set => _isTouched |= _hasWaiting = value; }

    /// <summary>Whether only a read shows that the message can be read.</summary>
    public bool IsUncertain { get => _isUncertain; set => _isTouched |= _isUncertain = value; }

    /// <summary>Whether the message is written for a proof, and read only there.</summary>
    public bool IsProof { get; init; }

    public void Begin(SlimLimits limits) => _bytesMax = limits.MaxGraphBytes;

    /// <summary>The cost of hashing and comparing keys, for a message of that length.</summary>
    public KeyLedger KeysAt(SlimLimits limits, long messageBytes)
    {
        _isTouched = true;

        // Objects that only a later collection shares are not known yet.
        return _keys.At(limits, messageBytes, hasReferences: true);
    }

    /// <summary>Counts a root.</summary>
    public void AddRoot() => _rootCount++;

    /// <summary>Foresees memory that the reader charges for.</summary>
    public void Charge(long bytes) => _bytes += bytes;

    /// <summary>Foresees the charge of a built-in codec for this number of bytes, whatever it reads from them. The most
    /// expensive is a document, in which each character may be a node.</summary>
    public void ForeseeCodec(long bytes) => _bytes += CodecBytes + (CodecBytesPerByte * bytes);

    /// <summary>Foresees runs of the user's code.</summary>
    public void AddCallbacks(int count)
    {
        _callbackCount += count;
        HasWaiting = true;
    }

    /// <summary>Notes the comparer of a user: only a read shows whether its copy compares in the same way.</summary>
    public void NoteComparer(object comparer, bool areKeysSimple)
    {
        _isTouched = true;
        _isUncertain |= !areKeysSimple || !_keys.ShapeOf(comparer.GetType()).IsSteady;
    }

    /// <summary>Reads the root that was just written, if nothing else shows that a reader can.</summary>
    public bool NeedProof(SlimWriter writer) => !IsProof && Exist(writer);

    /// <summary>Refuses several roots that a reader can only read one by one.</summary>
    public void CheckTogether(SlimWriter writer)
    {
        if (_rootCount < 2 || IsProof)
            return;
        if (_bytes > _bytesMax)
            Throw.Limit(nameof(SlimLimits.MaxGraphBytes), _bytesMax, _bytes);
        if (KeysAt(writer.Limits, writer.BytesWritten).IsOver)
            _keys.Refuse();
    }

    public void Clear()
    {
        _bytes = 0;
        _rootCount = 0;
        if (!_isTouched)
            return;
        _isTouched = false;
        _callbackCount = 0;
        _hasWaiting = false;
        _isUncertain = false;
        _keys.Clear();
    }

    private bool Exist(SlimWriter writer)
    {
        var limits = writer.Limits;
        var bytes = _bytes + (_callbackCount * Completions.CallbackBytes);
        if (_hasWaiting)
            bytes += WalkBytes * ((NodesPerObject * (long)writer.Identity.Count) + writer.BytesWritten);
        return bytes > _bytesMax || _isUncertain || _keys.IsUncertain || _callbackCount > limits.MaxCallbackCount
            || KeysAt(limits, writer.BytesWritten).IsOver;
    }
}
