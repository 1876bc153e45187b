using System.Linq.Expressions;
using Cluster.Pile.Files;
using Cluster.Pile.Mapped.Intents;
using Cluster.Slim;
using Cluster.Slim.Projections;

namespace Cluster.Pile.Objects;

/// <summary>Encodes object graphs as payloads: Slim messages that never leave this pile and contain the run-time type
/// of the root, so that an object can be read as any of its types. Owned by one pile; immutable, the serializer is safe
/// for many threads. Where memory outlives the process, no graph leaves the encoder before its types are on the
/// disk.</summary>
internal sealed class GraphCodec
{
    // The largest buffer that a thread keeps for its next graph.
    private const int BufferBytesKept = 1 << 20;
    private const int BufferBytesFirst = 1024;

    // One level takes a few hundred bytes of stack.
    private const int KeyDepthMax = 1024;

    // The highest value that a serializer accepts.
    private const int DocumentDepthMax = 1000;

    [ThreadStatic]
    private static ArrayBufferWriter<byte>? _idle;

    private readonly SlimSerializer _serializer;
    private readonly TypeKeeper? _keeper;

    public GraphCodec(TypeAliases aliases, TypeLog? log, UpdateIntents? intents)
    {
        Aliases = aliases;
        _serializer = NewSerializer(aliases);
        Types = new TypeTable(_serializer, new TypeSearch(aliases));
        _keeper = log is null ? null : new TypeKeeper(Types, log, intents!);
    }

    /// <summary>The former names of types.</summary>
    public TypeAliases Aliases { get; }

    /// <summary>The types of stored graphs by number.</summary>
    public TypeTable Types { get; }

    /// <summary>Encodes a graph into a buffer of this thread; the caller gives it to <see cref="Return"/>.</summary>
    public ArrayBufferWriter<byte> Encode(object graph)
    {
        // The field is cleared, because user code that runs while its graph is written may put objects, too.
        var buffer = _idle ?? new ArrayBufferWriter<byte>(BufferBytesFirst);
        _idle = null;
        try
        {
            _serializer.Serialize<object>(buffer, graph);
            _keeper?.KeepUp();
            return buffer;
        }
        catch
        {
            Return(buffer);
            throw;
        }
    }

    public static void Return(ArrayBufferWriter<byte> buffer)
    {
        if (buffer.Capacity > BufferBytesKept)
            return;
        buffer.ResetWrittenCount();
        _idle = buffer;
    }

    /// <summary>Decodes the private copy of a payload.</summary>
    public object Decode(ReadOnlySpan<byte> payload) => _serializer.Deserialize<object>(payload);

    /// <summary>Creates a projection that reads one member of payloads of this codec.</summary>
    public SlimProjection<T, TResult> CreateProjection<T, TResult>(Expression<Func<T, TResult>> member)
        where T : class =>
        _serializer.CreateProjection(member)!;

    /// <summary>Throws when no codec can project the member.</summary>
    public static void CheckMember<T, TResult>(Expression<Func<T, TResult>> member)
        where T : class =>
        NewSerializer(new TypeAliases()).CreateProjection(member);

    // The bytes come from the pile's own memory, so only its budget limits them.
    private static SlimSerializer NewSerializer(TypeAliases aliases) => new(aliases.AddTo(new SlimOptions
    {
        Profile = SlimProfile.InProcess,
        Limits = new SlimLimits
        {
            MaxMessageBytes = int.MaxValue,
            MaxGraphBytes = long.MaxValue,
            MaxStringLength = int.MaxValue,
            MaxTypeCount = int.MaxValue,
            MaxTypeBytes = int.MaxValue,
            MaxCallbackCount = int.MaxValue,
            MaxKeyWorkPerByte = int.MaxValue,
            MaxSearchedEntries = int.MaxValue,
            MaxDocumentDepth = DocumentDepthMax,

            // Deeper keys would overflow the stack in their own hash functions when they are read. Puts refuse them.
            MaxKeyDepth = KeyDepthMax,
        },
    }));
}
