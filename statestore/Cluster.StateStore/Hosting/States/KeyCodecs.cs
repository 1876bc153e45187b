using System.Numerics;
using System.Reflection;

namespace Cluster.StateStore.Hosting.States;

/// <summary>Finds the codec of a key type. Stateless.</summary>
internal static class KeyCodecs
{
    /// <summary>The longest key, in bytes.</summary>
    public const int KeyBytesMax = 4_096;

    /// <summary>
    /// The codec, or null with the remedy when the type has no canonical form that the library knows.
    /// </summary>
    public static KeyCodec<TKey>? Find<TKey>(IKeyCodec<TKey>? custom, out string? remedy)
        where TKey : notnull
    {
        remedy = null;
        if (custom is not null)
            return new CustomKeyCodec<TKey>(custom);
        var known = typeof(TKey) switch
        {
            var type when type == typeof(string) => new StringKeyCodec(),
            var type when type == typeof(Guid) => new GuidKeyCodec(),
            var type when type == typeof(byte[]) => new BytesKeyCodec(),
            var type when IsInteger(type) => CreateIntegerCodec(type),
            _ => null,
        };
        if (known is null)
        {
            var name = typeof(TKey).Name;
            remedy = $"keys of type {typeof(TKey).FullName} have no canonical bytes; set s.KeyCodec to an "
                + $"IKeyCodec<{name}>, " +
                "or use a string, an integer, a Guid or a byte array as key";
        }

        return (KeyCodec<TKey>?)known;
    }

    // Native-sized integers differ between processes and are not keys.
    private static bool IsInteger(Type type) =>
        type.IsPrimitive && type != typeof(bool) && type != typeof(float) && type != typeof(double)
            && type != typeof(nint) && type != typeof(nuint)
        || type == typeof(Int128) || type == typeof(UInt128);

    private static object CreateIntegerCodec(Type type) => typeof(KeyCodecs)
        .GetMethod(nameof(CreateIntegerCodecOf), BindingFlags.NonPublic | BindingFlags.Static)!
        .MakeGenericMethod(type)
        .Invoke(null, null)!;

    private static IntegerKeyCodec<T> CreateIntegerCodecOf<T>()
        where T : unmanaged, IBinaryInteger<T> => new();
}
