using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and reads objects of a framework class of which a process has a few well-known objects. All of it is
/// head: the position of the object in the list of its class. Other objects of the class are refused, because Slim
/// cannot know their content.</summary>
internal sealed class SingletonSerializer(Type type) : TypeSerializer(type)
{
    // The position after the list means a new object; only EventArgs have one, because they hold nothing.
    private readonly object[] _values = FrameworkForms.FindSingletons(type)!;

    public override bool HasBody => false;

    public override void Describe(LayoutBuilder layout) => layout.Creation.Bytes(1);

    public override void WriteHead(SlimWriter writer, object value)
    {
        var position = Array.FindIndex(_values, known => ReferenceEquals(known, value));
        if (position < 0 && Type == typeof(EventArgs))
            position = _values.Length;
        if (position < 0)
            throw Throw.NotSupported(Type, "it is not one of the objects of this class that every process has.");
        writer.WriteByte((byte)position);
    }

    public override object Create(SlimReader reader)
    {
        int position = reader.ReadByte();
        if (position < _values.Length)
            return _values[position];
        if (position > _values.Length || Type != typeof(EventArgs))
            Throw.Malformed($"No {Type} has the number {position}.");
        reader.Charge(24);
        return new EventArgs();
    }
}
