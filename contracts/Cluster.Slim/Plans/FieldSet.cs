using Cluster.Slim.Graph;
using Cluster.Slim.Layouts;

namespace Cluster.Slim.Plans;

/// <summary>
/// All carried fields of one user type, with code compiled at first use. Compiling twice in a race is harmless: both
/// results are equal. A traced call goes through reflection instead and keeps the path of members.
/// </summary>
/// <typeparam name="T">The type that has the fields.</typeparam>
internal sealed class FieldSet<T>(FieldMember[] members)
{
    private FieldsWriter<T>? _writer;
    private FieldsReader<T>? _reader;

    internal int BytesMin { get; } = Math.Max(1, members.Sum(static m => m.Slot.BytesMin));

    /// <summary>Says which fields are written, in which order.</summary>
    internal void Describe(LayoutBuilder layout) => layout.AddFields(WireOrder().Select(static m => m.Field));

    internal void Write(SlimWriter writer, ref T instance)
    {
        if (writer.Trace is { } trace)
            WriteTraced(writer, trace, instance!);
        else
            (_writer ??= new FieldCompiler(typeof(T), members).CompileWriter<T>())(writer, ref instance);
    }

    internal void Read(SlimReader reader, ref T instance)
    {
        if (reader.Trace is { } trace)
            ReadTraced(reader, trace, ref instance);
        else
            (_reader ??= new FieldCompiler(typeof(T), members).CompileReader<T>())(reader, ref instance);
    }

    // Fixed-size fields come first on the wire, in the order of the members.
    private IEnumerable<FieldMember> WireOrder() =>
        members.Where(static m => m.Slot is IFixedSlot).Concat(members.Where(static m => m.Slot is not IFixedSlot));

    private void WriteTraced(SlimWriter writer, MemberTrace trace, object instance)
    {
        foreach (FieldMember member in WireOrder())
        {
            trace.Push(MemberNames.Of(member.Field));
            member.Slot.WriteBoxed(writer, member.Field.GetValue(instance));
            trace.Pop();
        }
    }

    private void ReadTraced(SlimReader reader, MemberTrace trace, ref T instance)
    {
        object boxed = instance!;
        foreach (FieldMember member in WireOrder())
        {
            trace.Push(MemberNames.Of(member.Field));
            member.Field.SetValue(boxed, member.Slot.ReadBoxed(reader));
            trace.Pop();
        }

        instance = (T)boxed;
    }
}
