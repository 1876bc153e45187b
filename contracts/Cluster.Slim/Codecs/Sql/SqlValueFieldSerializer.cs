using System.Data.SqlTypes;
using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sql;

/// <summary>Writes and reads a database value of fixed size: 1, or 0 for null, and the bytes of the value, zero for
/// null.</summary>
/// <typeparam name="TSql">The type of the database.</typeparam>
/// <typeparam name="TRaw">Its bytes.</typeparam>
/// <param name="source">Not used; all framework field serializers are created with it.</param>
internal sealed class SqlValueFieldSerializer<TSql, TRaw>(SerializerSource source) : FieldSerializer<TSql>
    where TSql : struct, INullable
    where TRaw : unmanaged
{
    private readonly SqlForm<TSql, TRaw> _form = SqlForms.Of<TSql, TRaw>();

    public override int BytesMin => 1 + Unsafe.SizeOf<TRaw>();

    public SerializerSource Slots => source;

    public override void Describe(LayoutBuilder layout) => layout.Body.Bytes(BytesMin);

    public override void Write(SlimWriter writer, TSql value)
    {
        writer.WriteByte(value.IsNull ? (byte)0 : (byte)1);
        writer.WriteRaw(value.IsNull ? default : _form.RawOf(value));
    }

    public override TSql Read(SlimReader reader)
    {
        var mark = reader.ReadByte();
        var raw = reader.ReadRaw<TRaw>();
        if (mark == 0)
            return default;
        if (mark != 1)
            Throw.Malformed($"A {typeof(TSql)} is neither there nor null.");
        try
        {
            return _form.Make(raw);
        }
        catch (Exception e) when (e is SqlTypeException or ArithmeticException or ArgumentException)
        {
            throw Throw.Failed($"A {typeof(TSql)} is out of range.", e);
        }
    }
}
