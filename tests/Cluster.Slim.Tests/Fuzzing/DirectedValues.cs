using System.Drawing;
using Cluster.Slim.Layouts;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Directed cases about single values: numbers, texts, times, arrays, roots.</summary>
internal static class DirectedValues
{
    private static readonly byte[] Ones = [255, 255, 255, 255, 255, 255, 255, 127];

    public static IEnumerable<DirectedCase> All() =>
        [.. Simple(), .. Times(), .. Zones(), .. Framework(), .. Exceptions(), .. Arrays(), .. Roots()];

    private static IEnumerable<DirectedCase> Simple()
    {
        yield return DirectedCase.Ended(
            "BigIntegerFieldSerializer.cs Read 1", "has no bytes", new BigInteger(5), 2, new Forge().Number(0));
        yield return DirectedCase.Damaged(
            "DecimalKind.cs ThrowInvalid 1", "invalid scale or sign", 1m, [.. Ones, 0, 0, 0, 0, 0, 0, 0, 0]);
        yield return DirectedCase.Damaged(
            "RuneKind.cs Get 1", "not a Unicode scalar value", new Rune('r'), [0, 0xD8, 0, 0]);
        yield return DirectedCase.Damaged(
            "ColorFieldSerializer.cs Read 1", "color is not known here", Color.Empty, [9, 0, 0, 0, 0, ObjectTags.Null]);
        yield return DirectedCase.Damaged(
            "StructFieldSerializer.cs ReadInto 1", "without fields is not a zero byte", default(FuzzTypes.Empty), [1]);
        yield return DirectedCase.Damaged(
            "UserCodecFieldSerializer.cs Read 1", "mark before a value with a codec", new FuzzTypes.Weight(5), [2, 0, 0, 0, 0],
            new SlimOptions().AddCodec(new FuzzTypes.WeightCodec()));
        yield return DirectedCase.Damaged(
            "SingletonSerializer.cs Create 1", "No System.DBNull has the number 1", DBNull.Value, [1]);
    }

    private static IEnumerable<DirectedCase> Times()
    {
        yield return DirectedCase.Damaged(
            "DateOnlyKind.cs Get 1", "A DateOnly is out of range", DateOnly.MinValue, [255, 255, 255, 127]);
        yield return DirectedCase.Damaged(
            "TimeOnlyKind.cs Get 1", "A TimeOnly is out of range", TimeOnly.MinValue, Ones);
        yield return DirectedCase.Damaged(
            "DateTimeKindBits.cs Get 1", "A DateTime is out of range", DateTime.MinValue, Ones);
        yield return DirectedCase.Damaged(
            "DateTimeOffsetKind.cs Get 1", "A DateTimeOffset is out of range", DateTimeOffset.UnixEpoch, [255, 127]);

        // The first minute there is, one minute to the east: its universal time lies before all time.
        yield return DirectedCase.Damaged(
            "DateTimeOffsetKind.cs Get 2", "A DateTimeOffset is out of range", DateTimeOffset.UnixEpoch,
            [0, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
    }

    private static IEnumerable<DirectedCase> Zones()
    {
        const long UnknownBit = 1L << 56;
        var plain = TimeZoneInfo.CreateCustomTimeZone("Own", TimeSpan.FromMinutes(7), "d", "s");
        yield return DirectedCase.Damaged("TimeZoneCodec.cs Read 1", "do not go together", plain, Ones);
        yield return DirectedCase.Ended(
            "TimeZoneRules.cs Build 1", "ends in the middle of a rule", plain, 1 + sizeof(long),
            new Forge().Number(2).Bytes(new byte[2 * sizeof(long)]));
        yield return DirectedCase.Damaged(
            "TimeZoneRules.cs Change 1", "has unknown bits", FuzzTypes.MadeUpZone(), BitConverter.GetBytes(UnknownBit));
    }

    private static IEnumerable<DirectedCase> Framework()
    {
        yield return DirectedCase.Ended(
            "BitArrayCodec.cs Read 1", "longer than the rest", new BitArray(8), 2,
            new Forge().Number(uint.MaxValue));
        yield return DirectedCase.Damaged(
            "IPAddressCodec.cs Read 1", "neither 4 nor 16", IPAddress.Loopback, [5, 127, 0, 0, 1]);
        yield return DirectedCase.Damaged("StringBuilderCodec.cs Read 1", "is null", new StringBuilder(), [0]);
        yield return DirectedCase.Ended(
            "UriCodec.cs Read 1", "cannot be parsed", new Uri("a", UriKind.Relative), 3,
            new Forge().Bytes(1).Text("a"));
        yield return DirectedCase.Ended(
            "UriCodec.cs Read 2", "neither 0 nor 1", new Uri("a", UriKind.Relative), 3,
            new Forge().Bytes(2).Text("a"));

        yield return DirectedCase.Ended(
            "EncodingCodec.cs Read 1", "encoding is not known here", Encoding.UTF8, 7,
            new Forge().Text("utf-9").Bytes(1));

        // A tuple of eight has the rest of its items in another tuple, and refuses none.
        yield return DirectedCase.Ended(
            "ShellConstructor.cs Run 1", "is refused by it", Tuple.Create(1, 2, 3, 4, 5, 6, 7, 8), 5,
            new Forge().Bytes(ObjectTags.Null));
    }

    private static IEnumerable<DirectedCase> Exceptions()
    {
        yield return DirectedCase.Ended(
            "ExceptionEntries.cs Read 1", "A key of exception data is null", new IOException(), 1,
            new Forge().Number(1).Bytes(ObjectTags.Null, ObjectTags.Null));

        // The detail is a text in the one class and a number in the other.
        const int Status = 77;
        var text = new Forge().Bytes(ObjectTags.NewTyped, 2).Text("f").Done();
        var number = new Forge().Bytes(ObjectTags.NewTyped, 9, Status, 0, 0, 0).Done();
        yield return Detail(
            "ExceptionDetail.cs TextOf 1", "not a text", new FileNotFoundException("m", "f"), text, number);
        yield return Detail(
            "ExceptionDetail.cs NumberOf 1", "not a number",
            new HttpRequestException("m", null, (HttpStatusCode)Status), number, text);
    }

    private static DirectedCase Detail<T>(string rule, string says, T value, byte[] written, byte[] forged) =>
        DirectedCase.Read<T>(
            rule, says, Forge.After(new SlimSerializer().Serialize(value)).Replace(written, forged));

    private static IEnumerable<DirectedCase> Arrays()
    {
        const int BodyBytes = 11;
        static Forge Dimensions(uint length) => new Forge()
            .Times(2, (forge, _) => forge.Bytes(0, 0, 0, 0).Number(length));
        yield return DirectedCase.Ended(
            "MultiArraySerializer.cs Create 2", "multiply to more", new byte[1, 1], BodyBytes, Dimensions(1 << 16));
        yield return DirectedCase.Ended(
            "MultiArraySerializer.cs Create 3", "more than the rest", new byte[1, 1], BodyBytes, Dimensions(1000));
        yield return DirectedCase.Damaged(
            "NullableFieldSerializer.cs Read 1", "neither 0 nor 1", new int?[] { null }, [2]);
    }

    private static IEnumerable<DirectedCase> Roots()
    {
        static Forge Message() => new Forge().Bytes(ObjectTags.HeaderVersion, 0);
        yield return DirectedCase.Read<int>(
            "ValueRoot.cs Read 1", "not a new System.Int32", Message().Bytes(ObjectTags.Null));
        yield return DirectedCase.Read<int>(
            "ValueRoot.cs Read 2", "System.UInt32, not a System.Int32",
            Message().Bytes(ObjectTags.NewTyped, 10, 0, 0, 0, 0));
        yield return DirectedCase.Read<Version>(
            "Root.cs ReadObject 2", "System.Object, not a System.Version", Message().Bytes(ObjectTags.NewTyped, 1));
        yield return DirectedCase.Read<object>(
            "AllowSet.cs AdmitCode 1", "is not in use", Message().Bytes(ObjectTags.NewTyped, 60));
        yield return DirectedCase.Ended(
            "SkippedObjects.cs Build 1", "not complete", ImmutableList<object>.Empty, 1,
            new Forge().Number(1).Bytes((byte)ObjectTags.ReferenceFirst));
        yield return DirectedCase.Read<FuzzTypes.Point>(
            "LayoutDecoder.cs ReadNumber 1", "is damaged", Forge.Message().Described(new Forge()
                .Name(typeof(FuzzTypes.Point).FullName + ", Cluster.Slim.Tests").Bytes(1, 255, 255, 255, 255, 1)));
    }
}
