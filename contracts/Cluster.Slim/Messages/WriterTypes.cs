using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;

namespace Cluster.Slim.Messages;

/// <summary>The types that the messages of one writer have described, by index. A standalone message describes a type
/// at its first use; a session collects the descriptions of a message for its header. Owned by one writer.</summary>
internal sealed class WriterTypes(bool isSession)
{
    private const int ScanCount = 8;

    private readonly List<Entry> _types = [];
    private readonly Dictionary<TypeSerializer, int> _indexes = [];
    private TypeSerializer? _first;
    private int _firstBytes;
    private long _bytes;
    private int _committedCount;
    private long _committedBytes;

    /// <summary>The types described since the last commit.</summary>
    public IEnumerable<TypeSerializer> Uncommitted => _types.Skip(_committedCount).Select(static e => e.Serializer);

    /// <summary>The number of described types, those of the present message included.</summary>
    public int Count => _types.Count;

    public int UncommittedCount => _types.Count - _committedCount;

    public void WriteReference(SlimWriter writer, TypeSerializer serializer)
    {
        if (serializer.WireCode != 0)
        {
            writer.WriteVar((uint)serializer.WireCode);
            return;
        }

        if (writer.Context.Rules.Profile == SlimProfile.InProcess)
        {
            writer.WriteVar(ObjectTags.TypeTableFirst + (uint)serializer.ProcessId);
            return;
        }

        if (_first is not null)
            AddLead(_first);
        var index = IndexOf(serializer);
        if (index < 0)
        {
            index = Add(writer.Context, serializer);
            writer.Doubts.Charge(DescribedBytesOf(writer.Context, serializer));
            if (!isSession)
            {
                writer.WriteByte(0);
                WriteDescription(writer, serializer);
                return;
            }
        }

        writer.WriteVar(ObjectTags.TypeTableFirst + (uint)index);
    }

    /// <summary>Takes the type of the root, whose description was written as part of the lead. It becomes an entry only
    /// when the message refers to it, which is rare.</summary>
    public void AddFirst(TypeSerializer serializer, int describedBytes)
    {
        _first = serializer;
        _firstBytes = describedBytes;
    }

    public static void WriteDescription(SlimWriter writer, TypeSerializer serializer)
    {
        if (serializer.Fingerprint == 0)
            serializer.Fingerprint = Announce(writer.Context, serializer.Type);
        writer.WriteRaw(serializer.Fingerprint);
        if (writer.Context.Schema == SlimSchema.Known)
            return;
        var text = serializer.DescriptionText ??= writer.Context.Describe(serializer.Type);
        writer.WriteVar((uint)text.Length);
        writer.WriteBytes(text);
    }

    /// <summary>The bytes that the description of the type counts against its limit.</summary>
    public static int DescribedBytesOf(SerializerContext context, TypeSerializer serializer) =>
        context.Schema == SlimSchema.Known
        ? DescribedType.FingerprintBytes
        : DescribedType.FingerprintBytes + (serializer.DescriptionText ??= context.Describe(serializer.Type)).Length;

    public void Commit()
    {
        _committedCount = _types.Count;
        _committedBytes = _bytes;
    }

    /// <summary>Forgets the types of a standalone message; a session keeps or removes them itself.</summary>
    public void EndMessage()
    {
        _first = null;
        if (!isSession && _types.Count > 0)
            RollBack();
    }

    /// <summary>Forgets the types described since the last commit.</summary>
    public void RollBack()
    {
        while (_types.Count > _committedCount)
        {
            if (_types.Count > ScanCount)
                _indexes.Remove(_types[^1].Serializer);
            _types.RemoveAt(_types.Count - 1);
        }

        if (_types.Count <= ScanCount && _indexes.Count > 0)
            _indexes.Clear();

        _bytes = _committedBytes;
    }

    // A thread that finds the fingerprint set relies on the layout being announced.
    private static ulong Announce(SerializerContext context, Type type)
    {
        var fingerprint = context.FingerprintOf(type);
        if (context.Schema == SlimSchema.Known)
            context.Rules.KnownLayouts?.Written(fingerprint, context.Describe(type));
        return fingerprint;
    }

    private void AddLead(TypeSerializer first)
    {
        _first = null;
        _bytes = _firstBytes;
        _types.Add(new Entry(first));
    }

    private int IndexOf(TypeSerializer serializer)
    {
        if (_types.Count > ScanCount)
            return _indexes.TryGetValue(serializer, out var known) ? known : -1;
        for (var i = 0; i < _types.Count; i++)
        {
            if (ReferenceEquals(_types[i].Serializer, serializer))
                return i;
        }

        return -1;
    }

    private int Add(SerializerContext context, TypeSerializer serializer)
    {
        var limits = context.Limits;
        if (_types.Count == limits.MaxTypeCount)
            Throw.Limit(nameof(SlimLimits.MaxTypeCount), limits.MaxTypeCount, _types.Count + 1L);
        var bytes = _bytes + DescribedBytesOf(context, serializer);
        if (bytes > limits.MaxTypeBytes)
            Throw.Limit(nameof(SlimLimits.MaxTypeBytes), limits.MaxTypeBytes, bytes);
        _bytes = bytes;
        _types.Add(new Entry(serializer));
        Index(serializer);
        return _types.Count - 1;
    }

    // Few types are scanned; the dictionary is filled when it begins to pay.
    private void Index(TypeSerializer serializer)
    {
        if (_types.Count <= ScanCount)
            return;
        if (_indexes.Count > 0)
        {
            _indexes.Add(serializer, _types.Count - 1);
            return;
        }

        for (var i = 0; i < _types.Count; i++)
            _indexes.Add(_types[i].Serializer, i);
    }

    /// <summary>A described type. A struct, because storing it in an array needs no check of its type.</summary>
    /// <param name="Serializer">The serializer of the type.</param>
    private readonly record struct Entry(TypeSerializer Serializer);
}
