using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Fields;

/// <summary>Writes and reads all fields of one type by reflection, where no code may be emitted, and keeps the path of
/// members where one is asked for. Gives the same bytes as the emitted code. Immutable.</summary>
/// <typeparam name="T">The type that has the fields.</typeparam>
/// <param name="members">The fields in the order of the wire.</param>
internal sealed class ReflectedFields<T>(FieldMember[] members)
{
    public void Write(SlimWriter writer, ref T instance)
    {
        object boxed = instance!;
        var trace = writer.Trace;
        foreach (var member in members)
        {
            trace?.Push(MemberNames.Of(member.Field));
            member.Serializer.WriteBoxed(writer, member.Field.GetValue(boxed));
            trace?.Pop();
        }
    }

    public void Read(SlimReader reader, ref T instance)
    {
        // A struct is filled in a box and copied back; an object is its own box.
        object boxed = instance!;
        var trace = reader.Trace;
        foreach (var member in members)
        {
            trace?.Push(MemberNames.Of(member.Field));
            member.Field.SetValue(boxed, member.Serializer.ReadBoxed(reader));
            trace?.Pop();
        }

        instance = (T)boxed;
    }
}
