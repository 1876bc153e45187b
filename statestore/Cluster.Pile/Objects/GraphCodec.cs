using System.Linq.Expressions;
using Cluster.Pile.Mapped;
using Cluster.Slim;

namespace Cluster.Pile.Objects;

/// <summary>Object graphs as payloads: Slim messages that never leave this pile, with the run-time type of the root in
/// them, so that an object can be got as any of its types. Owned by one pile; immutable, the serializer is safe for
/// many threads. Where memory outlives the process, no graph leaves the encoder before its types are on the
/// disk.</summary>
internal sealed class GraphCodec
{
    // What a thread keeps for its next graph.
    private const int BufferBytesKept = 1 << 20;
    private const int BufferBytesFirst = 1024;

    // A level takes a few hundred bytes of stack.
    private const int KeyDepthMax = 1024;

    // As deep as a serializer may allow.
    private const int DocumentDepthMax = 1000;

    [ThreadStatic]
    private static ArrayBufferWriter<byte>? _idle;

    private readonly SlimSerializer _serializer;
    private readonly TypeKeeper? _keeper;

    public GraphCodec(TypeAliases aliases, MappedFolder? folder = null)
    {
        Aliases = aliases;
        _serializer = NewSerializer(aliases);
        Types = new TypeTable(_serializer, new TypeSearch(aliases));
        _keeper = folder?.KeepTypes(Types);
    }

    /// <summary>What types were called before.</summary>
    public TypeAliases Aliases { get; }

    /// <summary>The types of stored graphs by number.</summary>
    public TypeTable Types { get; }

    /// <summary>Encodes a graph into a buffer of this thread, to be given back to <see cref="Return"/>.</summary>
    public ArrayBufferWriter<byte> Encode(object graph)
    {
        // Taken, not borrowed: code of the user that runs while its graph is written may put objects, too.
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

    /// <summary>The graph in a private copy of its payload.</summary>
    public object Decode(ReadOnlySpan<byte> payload) => _serializer.Deserialize<object>(payload);

    /// <summary>A way to read one member out of payloads of this codec.</summary>
    public SlimProjection<T, TResult> CreateProjection<T, TResult>(Expression<Func<T, TResult>> member)
        where T : class =>
        _serializer.CreateProjection(member)!;

    /// <summary>Throws when payloads of no codec could be asked for the member.</summary>
    public static void CheckMember<T, TResult>(Expression<Func<T, TResult>> member)
        where T : class =>
        NewSerializer(new TypeAliases()).CreateProjection(member);

    // The bytes come from our own memory, so only the pile's budget limits them.
    private static SlimSerializer NewSerializer(TypeAliases aliases) => new(aliases.AddTo(new SlimOptions
    {
        Profile = SlimProfile.InProcess,
        Limits = new SlimLimits
        {
            MessageBytesMax = int.MaxValue,
            GraphBytesMax = long.MaxValue,
            StringLengthMax = int.MaxValue,
            TypeCountMax = int.MaxValue,
            TypeBytesMax = int.MaxValue,
            CallbackCountMax = int.MaxValue,
            MaxKeyWorkPerByte = int.MaxValue,
            MaxSearchedEntries = int.MaxValue,
            MaxDocumentDepth = DocumentDepthMax,

            // Deeper keys would overflow the stack in their own hash functions when they are read; puts refuse them.
            MaxKeyDepth = KeyDepthMax,
        },
    }));
}
