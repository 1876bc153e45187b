using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Arrays;

/// <summary>An array of several dimensions, or with a lower bound other than zero. Head: lower bound and length of each
/// dimension. Body: elements, last index fastest.</summary>
/// <typeparam name="T">The element type.</typeparam>
internal sealed class MultiArraySerializer<T>(Type type, SerializerSource source) : TypeSerializer(type)
{
    private readonly FieldSerializer<T> _serializer = source.FieldSerializerOf<T>();
    private readonly int _rank = type.GetArrayRank();

    public override void Describe(LayoutBuilder layout)
    {
        layout.Creation.Dimensions(_rank);
        layout.Body.Elements(typeof(T));
    }

    public override void WriteHead(SlimWriter writer, object value)
    {
        var array = (Array)value;
        writer.Doubts.Charge((8L * _rank) + (array.LongLength * FieldSerializer<T>.MemoryBytes));
        for (var i = 0; i < _rank; i++)
        {
            writer.WriteRaw(array.GetLowerBound(i));
            writer.WriteVar((uint)array.GetLength(i));
        }
    }

    public override object Create(SlimReader reader)
    {
        var bounds = new int[_rank];
        var lengths = new int[_rank];
        long product = 1;
        for (var i = 0; i < _rank; i++)
        {
            bounds[i] = reader.ReadRaw<int>();
            var length = reader.ReadVar();
            if (length > Array.MaxLength || bounds[i] + (long)length > int.MaxValue)
                Throw.Malformed("A dimension of an array is out of range.");
            lengths[i] = (int)length;

            // Checked after every dimension, even if a later length of zero makes the array empty: the runtime does the
            // same.
            product *= length;
            if (product > uint.MaxValue)
                Throw.Malformed("The dimensions of an array multiply to more than the runtime can count.");
        }

        if (product * _serializer.BytesMin > reader.Remaining)
            Throw.Malformed($"The {product} elements of an array are more than the rest of the message can hold.");
        reader.Charge(24 + (8L * _rank) + (product * FieldSerializer<T>.MemoryBytes));
        return Array.CreateInstance(typeof(T), lengths, bounds);
    }

    public override void WriteBody(SlimWriter writer, object value) => _serializer.WriteSpan(writer, ElementsOf(value));

    public override void ReadBody(SlimReader reader, object instance) =>
        _serializer.ReadSpan(reader, ElementsOf(instance));

    // The elements lie in memory as those of a one-dimensional array do, the last index fastest.
    private static Span<T> ElementsOf(object instance)
    {
        var array = (Array)instance;
        return MemoryMarshal.CreateSpan(
            ref Unsafe.As<byte, T>(ref MemoryMarshal.GetArrayDataReference(array)), array.Length);
    }
}
