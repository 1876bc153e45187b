using Cluster.Slim.Messages;
using Cluster.Slim.Roots;

namespace Cluster.Slim.Hosting;

/// <summary>Writes the typed roots of one message without boxing; an object that several roots reach is written once.
/// Reusable and poolable: after <see cref="Complete"/> or <see cref="Abort"/> the writer holds no references and can
/// begin the next message. One user at a time; no lock protects the writer.</summary>
/// <param name="serializer">The serializer whose options and caches apply.</param>
public sealed class SlimMessageWriter(SlimSerializer serializer)
{
    private readonly SlimEngine _engine = serializer.Engine;
    private readonly SlimWriter _writer = new();
    private bool _isOpen;

    /// <summary>Begins a message.</summary>
    /// <param name="output">Gets the bytes at <see cref="Complete"/>; a message over 64 KiB advances it earlier,
    /// too.</param>
    /// <param name="references">Takes the objects in places of external interfaces; null: such objects are
    /// refused.</param>
    /// <exception cref="InvalidOperationException">A message is open.</exception>
    public void Begin(IBufferWriter<byte> output, ISlimReferences? references = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        if (_isOpen)
            throw new InvalidOperationException("A message is open: complete or abort it first.");
        _isOpen = true;
        RootWriter.Begin(_writer, _engine, output);
        _writer.References = references;
    }

    /// <summary>From now on, exceptions of the open message are written without their stacks and their
    /// <see cref="Exception.Data"/>: for readers who may not see how this process is built.</summary>
    public void OmitExceptionStacks()
    {
        ThrowIfClosed();
        _writer.OmitsExceptionStacks = true;
    }

    /// <summary>Writes the next root.</summary>
    /// <typeparam name="T">The declared type; the reader must read the root with the same type. Its closed list
    /// applies.</typeparam>
    /// <param name="root">The root; may be null.</param>
    /// <exception cref="SlimException">The graph cannot be carried. The message is aborted.</exception>
    public void Write<T>(T root)
    {
        ThrowIfClosed();
        var serializer = _engine.Roots.Of<T>();
        SlimException? failure = null;
        try
        {
            RootWriter.Write(_writer, _engine, serializer, ref Unsafe.As<T, byte>(ref root));
        }
        catch (SlimException e)
        {
            failure = SlimEngine.Failed(e, _writer);
            Abort();
        }

        if (failure is not null)
            _engine.Rethrow(failure, serializer, ref Unsafe.As<T, byte>(ref root));
    }

    /// <summary>Hands the message over to the output.</summary>
    /// <exception cref="SlimLimitException">The message is too long.</exception>
    public void Complete()
    {
        ThrowIfClosed();
        try
        {
            _writer.Finish();
        }
        finally
        {
            Abort();
        }
    }

    /// <summary>Drops the open message, if there is one.</summary>
    public void Abort()
    {
        if (!_isOpen)
            return;
        _isOpen = false;
        _writer.Reset();
    }

    internal void WriteObject(Type type, object? root)
    {
        var serializer = _engine.Roots.Of(type);
        SlimException? failure = null;
        try
        {
            RootWriter.WriteObject(_writer, _engine, serializer, root);
        }
        catch (SlimException e)
        {
            failure = SlimEngine.Failed(e, _writer);
        }

        if (failure is not null)
            _engine.Rethrow(failure, _engine.Roots.Of<object?>(), ref Unsafe.As<object?, byte>(ref root));
    }

    private void ThrowIfClosed()
    {
        if (!_isOpen)
            throw new InvalidOperationException("No message is open: call Begin first.");
    }
}
