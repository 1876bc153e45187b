using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;

namespace Cluster.Slim.Messages;

/// <summary>The types that the messages of one reader have described, by index. Owned by one reader.</summary>
internal sealed class ReaderTypes(bool isSession)
{
    private readonly List<DescribedType> _types = [];
    private DescribedType? _first;
    private DescribedType? _latest;
    private int _firstBytes;
    private long _bytes;

    /// <summary>Whether the message names types by fingerprint; set from its header.</summary>
    public bool IsKnownSchema { get; set; }

    /// <summary>Whether the message belongs to a session, whose type descriptions are in the header.</summary>
    public bool IsSession => isSession;

    /// <summary>The number of described types so far.</summary>
    public int Count => _types.Count;

    public TypeSerializer ReadReference(SlimReader reader, AdmittedTypes allowed)
    {
        var code = reader.ReadVar();
        if (code is > 0 and < ObjectTags.TypeTableFirst)
            return allowed.SerializerOfCode(code);
        return allowed.IsInProcess
            ? FindInProcess(code, allowed) ?? allowed.SerializerOfRestored(code - ObjectTags.TypeTableFirst)
            : Find(code, reader).Find(allowed, reader);
    }

    /// <summary>Reads the layout of a value that is skipped.</summary>
    public TypeLayout ReadLayout(SlimReader reader, AdmittedTypes allowed)
    {
        var code = reader.ReadVar();
        if (code is > 0 and < ObjectTags.TypeTableFirst)
            return allowed.LayoutOfCode(code);
        if (!allowed.IsInProcess)
            return Find(code, reader).FindLayout(allowed, reader);
        return FindInProcess(code, allowed) is { } serializer
            ? allowed.LayoutOf(serializer.Type)
            : allowed.LayoutOfRestored(code - ObjectTags.TypeTableFirst);
    }

    /// <summary>Takes the type of the root, whose description was compared as part of the lead. It becomes an entry
    /// only when the message refers to it, which is rare.</summary>
    public void AddFirst(DescribedType type, int describedBytes)
    {
        _first = type;
        _firstBytes = describedBytes;
    }

    public DescribedType ReadDescription(SlimReader reader)
    {
        var limits = reader.Limits;
        var start = (int)reader.Offset;
        if (_types.Count == limits.MaxTypeCount)
            Throw.Limit(nameof(SlimLimits.MaxTypeCount), limits.MaxTypeCount, _types.Count + 1L);
        var fingerprint = reader.ReadRaw<ulong>();
        byte[]? text = null;
        var length = IsKnownSchema ? 0 : reader.ReadCount(1);
        var bytes = _bytes + DescribedType.FingerprintBytes + length;
        if (bytes > limits.MaxTypeBytes)
            Throw.Limit(nameof(SlimLimits.MaxTypeBytes), limits.MaxTypeBytes, bytes);
        if (!IsKnownSchema)
        {
            reader.Charge(length);
            text = new byte[length];
            reader.ReadBytes(text);
        }

        var type = FindLatest(fingerprint, text, start, (int)reader.Offset)
            ?? new DescribedType(fingerprint, text) { Start = start, End = (int)reader.Offset };
        _latest = type;
        _types.Add(type);
        _bytes = bytes;
        return type;
    }

    /// <summary>Forgets the types of a standalone message; a session keeps them.</summary>
    public void EndMessage()
    {
        _first = null;
        if (isSession || _types.Count == 0)
            return;
        _types.Clear();
        _bytes = 0;
    }

    // The messages of one kind name the same type at the same place. An object that has only a fingerprint serves them
    // all: it knows which list found its serializer.
    private DescribedType? FindLatest(ulong fingerprint, byte[]? text, int start, int end) =>
        text is null && _latest is { Text: null } latest
            && (latest.Fingerprint, latest.Start, latest.End) == (fingerprint, start, end)
            ? latest
            : null;

    private void AddLead(DescribedType first)
    {
        _first = null;
        _bytes = _firstBytes;
        _types.Add(first);
    }

    private DescribedType Find(uint code, SlimReader reader)
    {
        if (_first is not null)
            AddLead(_first);
        if (code == 0)
        {
            if (IsSession)
                Throw.Malformed("A type description stands inside a message that cannot have one there.");
            return (reader.IsWatched ? FindAgain(reader) : null) ?? ReadDescription(reader);
        }

        var index = code - ObjectTags.TypeTableFirst;
        if (index >= (uint)_types.Count)
            Throw.Malformed($"The type {index} is behind the {_types.Count} types described so far.");
        return _types[(int)index];
    }

    // A part of the message that is read again must not describe its types again.
    private DescribedType? FindAgain(SlimReader reader)
    {
        var start = reader.Offset;
        var type = _types.Find(t => t.Start == start);
        if (type is not null)
            reader.Seek(type.End);
        return type;
    }

    // Zero wraps around to a number that no table has.
    private static TypeSerializer? FindInProcess(uint code, AdmittedTypes allowed) =>
        allowed.ProcessTypes.Find(code - ObjectTags.TypeTableFirst);
}
