using Cluster.Slim.Layouts;

namespace Cluster.Slim.Messages;

/// <summary>Writes and reads values in a place of a declared type: a field, an element, a root. The untyped part of
/// <see cref="FieldSerializer{T}"/>.</summary>
internal abstract class FieldSerializer
{
    /// <summary>The smallest number of bytes a value takes in a message; at least one.</summary>
    public abstract int BytesMin { get; }

    /// <summary>Describes the form of a value on the wire, so that readers of other versions can skip or convert
    /// it.</summary>
    public abstract void Describe(LayoutBuilder layout);

    /// <summary>Writes a boxed value; only for tracing and reflection.</summary>
    public abstract void WriteBoxed(SlimWriter writer, object? value);

    /// <summary>Reads a value into a box; only for tracing and reflection.</summary>
    public abstract object? ReadBoxed(SlimReader reader);
}

/// <summary>Writes and reads values in a place of the declared type. Immutable; shared by all threads.</summary>
/// <typeparam name="T">The declared type of the place.</typeparam>
internal abstract class FieldSerializer<T> : FieldSerializer
{
    public abstract void Write(SlimWriter writer, T value);

    public abstract T Read(SlimReader reader);

    /// <summary>The memory that one value takes inside its container.</summary>
    public static int MemoryBytes => System.Runtime.CompilerServices.Unsafe.SizeOf<T>();

    public sealed override void WriteBoxed(SlimWriter writer, object? value) => Write(writer, (T)value!);

    public sealed override object? ReadBoxed(SlimReader reader) => Read(reader);

    /// <summary>Writes consecutive values; overridden where a block is faster.</summary>
    public virtual void WriteSpan(SlimWriter writer, ReadOnlySpan<T> values)
    {
        if (writer.Trace is not null)
        {
            WriteTraced(writer, values);
            return;
        }

        foreach (var value in values)
            Write(writer, value);
    }

    /// <summary>Writes the elements of a list or array without an identity for each. Returns false, and writes nothing,
    /// unless all elements are different objects and no other place can refer to them.</summary>
    public virtual bool TryWriteLone(SlimWriter writer, ReadOnlySpan<T> values) => false;

    /// <summary>Reads consecutive values; overridden where a block is faster.</summary>
    public virtual void ReadSpan(SlimReader reader, Span<T> values)
    {
        for (var i = 0; i < values.Length; i++)
        {
            reader.Trace?.PushIndex(i);
            values[i] = Read(reader);
            reader.Trace?.Pop();
        }
    }

    private void WriteTraced(SlimWriter writer, ReadOnlySpan<T> values)
    {
        for (var i = 0; i < values.Length; i++)
        {
            writer.Trace!.PushIndex(i);
            Write(writer, values[i]);
            writer.Trace.Pop();
        }
    }
}
