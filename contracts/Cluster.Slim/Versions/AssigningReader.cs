using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Versions;

/// <summary>Reads a field that this process's type also has.</summary>
/// <typeparam name="T">The type in this process.</typeparam>
/// <typeparam name="TField">The type of its field.</typeparam>
internal sealed class AssigningReader<T, TField>(FieldInfo field, FieldSerializer<TField> serializer)
    : FieldReader<T>(MemberNames.Of(field))
{
    private readonly FieldReference<T, TField>? _reference = FieldReferences.Find<T, TField>(field);

    public override void Read(SlimReader reader, ref T instance)
    {
        var value = serializer.Read(reader);
        if (_reference is not null)
        {
            _reference(ref instance) = value;
            return;
        }

        object boxed = instance!;
        field.SetValue(boxed, value);
        instance = (T)boxed;
    }
}
