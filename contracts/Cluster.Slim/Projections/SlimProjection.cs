using Cluster.Slim.Roots;

namespace Cluster.Slim.Projections;

/// <summary>Reads one member out of messages without building the object that has it: everything else is passed by its
/// layout. Made by <see cref="SlimSerializer.CreateProjection"/>; immutable; safe for many threads; worth
/// keeping.</summary>
/// <typeparam name="T">The declared type of the root; its closed list applies.</typeparam>
/// <typeparam name="TResult">The type of the member.</typeparam>
public sealed class SlimProjection<T, TResult>
    where T : class
{
    private readonly SlimEngine _engine;
    private readonly ProjectionReader<TResult> _serializer;

    internal SlimProjection(SlimEngine engine, FieldInfo[] path)
    {
        _engine = engine;
        _serializer = new ProjectionReader<TResult>(path, engine.Serializers);
    }

    /// <summary>Reads the member out of a message. Where an object on the way to it is null, or the writer's type does
    /// not have the member, the result is the default of its type. Reading ends at the member if it holds no
    /// references; a message that is damaged behind it then goes unnoticed. Numbers, texts and other values without
    /// references cost no memory beyond themselves.</summary>
    /// <param name="message">Exactly one message, not of a session, whose only root has the type.</param>
    /// <exception cref="SlimException">The bytes are refused; no other exception leaves this method. It is a
    /// <see cref="SlimLayoutException"/> when the root, or an object on the way, is of another type.</exception>
    public unsafe TResult? Read(ReadOnlySpan<byte> message)
    {
        var root = _engine.Roots.Of<T>();
        var reader = Scratch.RentReader();
        SlimException? failure = null;
        TResult? value = default;
        try
        {
            _engine.CheckMessageBytes(message.Length);
            fixed (byte* start = message)
            {
                if (ProjectionStart.Read(reader, _engine, root, start, message.Length) is { } layout)
                    value = _serializer.Read(reader, layout);
            }
        }
        catch (Exception e) when (SlimEngine.IsWrapped(e))
        {
            failure = SlimEngine.Failed(e, reader);
        }
        finally
        {
            Scratch.Return(reader);
        }

        return failure is null ? value : throw failure;
    }
}
