using Cluster.Slim.Fields.Fixed;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Fields;

/// <summary>All carried fields of one user type. The one place that chooses the back-end: code emitted at first use, or
/// reflection where the runtime does not allow that and where a trace keeps the path of members. Compiling twice in a
/// race is harmless: both results are equal.</summary>
/// <typeparam name="T">The type that has the fields.</typeparam>
internal sealed class FieldSet<T>
{
    private readonly FieldMember[] _members;
    private readonly ReflectedFields<T> _reflected;
    private readonly bool _isDescribed;
    private FieldsWriter<T>? _writer;
    private FieldsReader<T>? _reader;

    public FieldSet(FieldMember[] members)
    {
        // Fixed-size fields come first on the wire, in the order of the members.
        _members =
        [
            .. members.Where(static m => m.Serializer is IFixedFieldSerializer),
            .. members.Where(static m => m.Serializer is not IFixedFieldSerializer),
        ];
        _reflected = new ReflectedFields<T>(_members);
        BytesMin = Math.Max(1, members.Sum(static m => m.Serializer.BytesMin));
    }

    /// <summary>Fields as another layout wrote them, read by the given code, which keeps the path by itself.</summary>
    public FieldSet(int bytesMin, FieldsReader<T> reader)
        : this([])
    {
        BytesMin = bytesMin;
        _reader = reader;
        _isDescribed = true;
    }

    public int BytesMin { get; }

    /// <summary>Says which fields are written, in which order.</summary>
    public void Describe(LayoutBuilder layout) => layout.AddFields(_members.Select(static m => m.Field));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(SlimWriter writer, ref T instance)
    {
        if (writer.Trace is null && _writer is { } write)
            write(writer, ref instance);
        else
            WriteOtherwise(writer, ref instance);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Read(SlimReader reader, ref T instance)
    {
        if (reader.Trace is null && _reader is { } read)
            read(reader, ref instance);
        else
            ReadOtherwise(reader, ref instance);
    }

    private void WriteOtherwise(SlimWriter writer, ref T instance)
    {
        if (writer.Trace is null && RuntimeFeature.IsDynamicCodeSupported)
            (_writer ??= new FieldCompiler(typeof(T), _members).CompileWriter<T>())(writer, ref instance);
        else
            _reflected.Write(writer, ref instance);
    }

    private void ReadOtherwise(SlimReader reader, ref T instance)
    {
        if (reader.Trace is null && RuntimeFeature.IsDynamicCodeSupported)
            (_reader ??= new FieldCompiler(typeof(T), _members).CompileReader<T>())(reader, ref instance);
        else if (_isDescribed)
            _reader!(reader, ref instance);
        else
            _reflected.Read(reader, ref instance);
    }
}

/// <summary>One carried field of a type and the field serializer for its values.</summary>
/// <param name="Field">The field.</param>
/// <param name="Serializer">How its values are written and read.</param>
internal sealed record FieldMember(FieldInfo Field, FieldSerializer Serializer);
