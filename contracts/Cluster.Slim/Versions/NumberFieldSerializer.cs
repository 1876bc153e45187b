using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Versions;

/// <summary>A place of a number in which another kind of number was written. Only exact values are accepted.</summary>
/// <typeparam name="TWritten">The number type that was written.</typeparam>
/// <typeparam name="TNumber">The number type of the place, for enums the underlying type.</typeparam>
/// <typeparam name="T">The type of the place.</typeparam>
internal sealed class NumberFieldSerializer<TWritten, TNumber, T>(FieldSerializer<TWritten> written, string member)
    : FieldSerializer<T>
    where TWritten : unmanaged, INumberBase<TWritten>
    where TNumber : unmanaged, INumberBase<TNumber>
    where T : unmanaged
{
    public override int BytesMin => written.BytesMin;

    public override void Describe(LayoutBuilder layout) => throw DescribedSerializers.NeverWritten();

    public override void Write(SlimWriter writer, T value) => throw DescribedSerializers.NeverWritten();

    public override T Read(SlimReader reader)
    {
        var value = written.Read(reader);
        if (!TryConvert(value, out var number))
        {
            throw Throw.Layout(
                typeof(T).Name, $"{member}: a value of {typeof(TWritten).Name} does not fit into {typeof(T).Name}.");
        }

        return Unsafe.BitCast<TNumber, T>(number);
    }

    private static bool TryConvert(TWritten value, out TNumber number)
    {
        try
        {
            number = TNumber.CreateChecked(value);
            return TWritten.IsNaN(value) ? TNumber.IsNaN(number) : TWritten.CreateChecked(number) == value;
        }
        catch (OverflowException)
        {
            number = default;
            return false;
        }
    }
}
