using System.Linq.Expressions;
using Cluster.Slim.Hosting;
using Cluster.Slim.Messages;
using Cluster.Slim.Projections;
using Cluster.Slim.Roots;

namespace Cluster.Slim;

/// <summary>Turns graphs of CLR objects into bytes and back, with reference identity, without attributes, from a closed
/// list of types. Immutable and safe for many threads; make one per contract and keep it, because it caches what it
/// learns.</summary>
public sealed class SlimSerializer
{
    // A field here too, because every message looks at it first.
    private readonly RootCache _roots;

    /// <summary>Makes a serializer with default options: contract profile, full schema.</summary>
    public SlimSerializer()
        : this(new SlimOptions())
    {
    }

    /// <summary>Makes a serializer with a frozen copy of the options.</summary>
    /// <param name="options">The options; later changes have no effect.</param>
    public SlimSerializer(SlimOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        Engine = new SlimEngine(options);
        _roots = Engine.Roots;
    }

    internal SlimEngine Engine { get; }

    /// <summary>Writes one message.</summary>
    /// <typeparam name="T">The declared type of the root; its closed list applies.</typeparam>
    /// <param name="output">Advanced when the message is complete; up to 64 KiB a failure leaves nothing in
    /// it.</param>
    /// <param name="value">The root; may be null.</param>
    /// <exception cref="SlimException">The graph cannot be carried; the message names the member.</exception>
    public void Serialize<T>(IBufferWriter<byte> output, T value)
    {
        ArgumentNullException.ThrowIfNull(output);
        var root = _roots.Find(RuntimeTypeHandle.ToIntPtr(typeof(T).TypeHandle));
        Scratch.Return(WriteMessage(output, root ?? _roots.Of<T>(), ref Unsafe.As<T, byte>(ref value)));
    }

    /// <summary>Writes one message into a new array.</summary>
    /// <typeparam name="T">The declared type of the root; its closed list applies.</typeparam>
    /// <param name="value">The root; may be null.</param>
    /// <exception cref="SlimException">The graph cannot be carried; the message names the member.</exception>
    public byte[] Serialize<T>(T value)
    {
        var writer = WriteMessage(null, _roots.Of<T>(), ref Unsafe.As<T, byte>(ref value));
        var message = writer.Written.ToArray();
        Scratch.Return(writer);
        return message;
    }

    /// <summary>Writes one message to a stream, in one piece and only if it is complete.</summary>
    /// <typeparam name="T">The declared type of the root; its closed list applies.</typeparam>
    /// <param name="stream">Where to write; not flushed.</param>
    /// <param name="value">The root; may be null.</param>
    /// <exception cref="SlimException">The graph cannot be carried; the message names the member.</exception>
    public void Serialize<T>(Stream stream, T value)
    {
        ArgumentNullException.ThrowIfNull(stream);
        var writer = WriteMessage(null, _roots.Of<T>(), ref Unsafe.As<T, byte>(ref value));
        try
        {
            stream.Write(writer.Written);
        }
        finally
        {
            Scratch.Return(writer);
        }
    }

    /// <summary>Reads one message.</summary>
    /// <typeparam name="T">The declared type of the root; its closed list applies.</typeparam>
    /// <param name="message">Exactly one message.</param>
    /// <exception cref="SlimException">The bytes are refused; no other exception leaves this method.</exception>
    public unsafe T Deserialize<T>(ReadOnlySpan<byte> message)
    {
        var root = _roots.Of<T>(_roots.Find(RuntimeTypeHandle.ToIntPtr(typeof(T).TypeHandle)));
        var reader = Scratch.RentReader();
        SlimException? failure = null;
        T value = default!;
        try
        {
            Engine.CheckMessageBytes(message.Length);
            fixed (byte* start = message)
                value = RootReader.ReadMessage(reader, Engine, root, start, message.Length);
        }
        catch (Exception e) when (SlimEngine.IsWrapped(e))
        {
            failure = SlimEngine.Failed(e, reader);
        }
        finally
        {
            Scratch.Return(reader);
        }

        if (failure is not null)
            Engine.Rethrow(failure, root, message);
        return value;
    }

    /// <summary>Reads one message.</summary>
    /// <typeparam name="T">The declared type of the root; its closed list applies.</typeparam>
    /// <param name="message">Exactly one message.</param>
    /// <exception cref="SlimException">The bytes are refused; no other exception leaves this method.</exception>
    public T Deserialize<T>(ReadOnlyMemory<byte> message) => Deserialize<T>(message.Span);

    /// <summary>Reads one message. Several segments are copied into one piece first.</summary>
    /// <typeparam name="T">The declared type of the root; its closed list applies.</typeparam>
    /// <param name="message">Exactly one message.</param>
    /// <exception cref="SlimException">The bytes are refused; no other exception leaves this method.</exception>
    public T Deserialize<T>(in ReadOnlySequence<byte> message)
    {
        var bytes = Engine.Linearize(message, out var rented);
        try
        {
            return Deserialize<T>(bytes.Span);
        }
        finally
        {
            if (rented is not null)
                ArrayPool<byte>.Shared.Return(rented);
        }
    }

    /// <summary>Reads one message that takes the rest of the stream.</summary>
    /// <typeparam name="T">The declared type of the root; its closed list applies.</typeparam>
    /// <param name="stream">Read to its end, but not beyond the message limit.</param>
    /// <exception cref="SlimException">The bytes are refused.</exception>
    public T Deserialize<T>(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArrayBufferWriter<byte> bytes = new();
        int count;
        while ((count = stream.Read(bytes.GetSpan(4096))) > 0)
        {
            bytes.Advance(count);
            Engine.CheckMessageBytes(bytes.WrittenCount);
        }

        return Deserialize<T>(bytes.WrittenSpan);
    }

    /// <summary>Copies a graph: what reading the written message would give.</summary>
    /// <typeparam name="T">The declared type of the root; its closed list applies.</typeparam>
    /// <param name="value">The root; may be null.</param>
    /// <exception cref="SlimException">The graph cannot be carried; the message names the member.</exception>
    public T DeepClone<T>(T value)
    {
        var writer = WriteMessage(null, _roots.Of<T>(), ref Unsafe.As<T, byte>(ref value));
        try
        {
            return Deserialize<T>(writer.Written);
        }
        finally
        {
            Scratch.Return(writer);
        }
    }

    /// <summary>Writes several roots as one message with one identity space: what is shared stays shared.</summary>
    /// <param name="output">Advanced when the message is complete; up to 64 KiB a failure leaves nothing in
    /// it.</param>
    /// <param name="roots">The roots; the closed list of each one's run-time type applies.</param>
    /// <exception cref="SlimException">A graph cannot be carried; the message names the member.</exception>
    public void SerializeRoots(IBufferWriter<byte> output, params ReadOnlySpan<object?> roots)
    {
        ArgumentNullException.ThrowIfNull(output);
        Hosting.SlimMessageWriter writer = new(this);
        writer.Begin(output);
        try
        {
            foreach (var root in roots)
                writer.WriteObject(root?.GetType() ?? typeof(object), root);
            writer.Complete();
        }
        finally
        {
            writer.Abort();
        }
    }

    /// <summary>Reads what <see cref="SerializeRoots"/> wrote.</summary>
    /// <param name="message">Exactly one message.</param>
    /// <param name="rootTypes">The declared type of each root; the closed list of each applies.</param>
    /// <exception cref="SlimException">The bytes are refused; no other exception leaves this method.</exception>
    public object?[] DeserializeRoots(in ReadOnlySequence<byte> message, ReadOnlySpan<Type> rootTypes)
    {
        var roots = new object?[rootTypes.Length];
        Hosting.SlimMessageReader reader = new(this);
        reader.Begin(message);
        try
        {
            for (var i = 0; i < roots.Length; i++)
                roots[i] = reader.ReadObject(rootTypes[i]);
            reader.Complete();
            return roots;
        }
        finally
        {
            reader.Abort();
        }
    }

    /// <summary>Makes a way to read one member out of messages without building the object that has it.</summary>
    /// <typeparam name="T">The declared type of the root; its closed list applies.</typeparam>
    /// <typeparam name="TResult">The type of the member.</typeparam>
    /// <param name="member">A path of fields and automatic properties, such as <c>p => p.Home.City</c>; casts to a
    /// derived class are allowed in it.</param>
    /// <exception cref="ArgumentException">The expression is not such a path.</exception>
    public SlimProjection<T, TResult> CreateProjection<T, TResult>(Expression<Func<T, TResult>> member)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(member);
        return new SlimProjection<T, TResult>(Engine, ProjectionPath.Of(member));
    }

    /// <summary>Opens a stream of messages in which types are described once.</summary>
    public SlimWriterSession OpenWriterSession() => new(Engine);

    /// <summary>Opens the reading side of a writer session; it has to see every committed message in order.</summary>
    public SlimReaderSession OpenReaderSession() => new(Engine);

    // The caller returns the writer when it no longer needs the bytes.
    private SlimWriter WriteMessage(IBufferWriter<byte>? output, Root root, ref byte place)
    {
        var writer = Scratch.RentWriter();
        SlimException? failure = null;
        try
        {
            RootWriter.WriteMessage(writer, Engine, output, root, ref place);
        }
        catch (SlimException e)
        {
            failure = SlimEngine.Failed(e, writer);
            Scratch.Return(writer);
        }
        catch
        {
            Scratch.Return(writer);
            throw;
        }

        if (failure is not null)
            Engine.Rethrow(failure, root, ref place);
        return writer;
    }
}
