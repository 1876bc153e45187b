using System.Buffers.Binary;
using System.Reflection;
using System.Text;
using Cluster.Slim;
using Cluster.Slim.Hosting;

namespace Cluster.Pile.Objects;

/// <summary>
/// The numbers by which stored graphs name their types, in a form that outlives the process: for each number a
/// description with the name of the type and the fingerprint of its layout. Owned by the codec; safe for many threads,
/// but for <see cref="Restore"/>.
/// </summary>
internal sealed class TypeTable
{
    private const int FingerprintBytes = 8;

    private readonly SlimSerializer _serializer;

    public TypeTable(SlimSerializer serializer) => _serializer = serializer;

    /// <summary>How many numbers there are.</summary>
    public int Count => SlimTypeTable.CountOf(_serializer);

    /// <summary>The descriptions of all numbers.</summary>
    public IReadOnlyList<byte[]> Export() => [.. Enumerable.Range(0, Count).Select(Describe)];

    /// <summary>The description of one number; empty when its type was lost before.</summary>
    public byte[] Describe(int number)
    {
        if (SlimTypeTable.TypeOf(_serializer, number) is not { } type)
            return [];
        var name = Encoding.UTF8.GetBytes(type.AssemblyQualifiedName!);
        var description = new byte[FingerprintBytes + name.Length];
        BinaryPrimitives.WriteUInt64LittleEndian(description, SlimLayouts.FingerprintOf(_serializer, type));
        name.CopyTo(description, FingerprintBytes);
        return description;
    }

    /// <summary>
    /// Takes the numbers of another process over, before anything is encoded or decoded. A type that this program does
    /// not have, or has with another layout, leaves its number without one: graphs with it are refused, all others can
    /// be read.
    /// </summary>
    public void Restore(IReadOnlyList<byte[]> descriptions)
        => SlimTypeTable.Restore(_serializer, [.. descriptions.Select(Find)]);

    private Type? Find(byte[] description)
    {
        if (description.Length <= FingerprintBytes)
            return null;
        var name = Encoding.UTF8.GetString(description.AsSpan(FingerprintBytes));
        var type = Type.GetType(name, FindAssembly, typeResolver: null, throwOnError: false);
        if (type is null)
            return null;
        try
        {
            var fingerprint = BinaryPrimitives.ReadUInt64LittleEndian(description);
            return SlimLayouts.FingerprintOf(_serializer, type) == fingerprint ? type : null;
        }
        catch (SlimException)
        {
            // It was carried once and is not any more.
            return null;
        }
    }

    // Whatever version is there: what counts is the layout.
    private static Assembly? FindAssembly(AssemblyName name)
    {
        var loaded = AppDomain.CurrentDomain.GetAssemblies().FirstOrDefault(one => one.GetName().Name == name.Name);
        if (loaded is not null)
            return loaded;
        try
        {
#pragma warning disable RS0030 // These names come from our own folder, which is as trusted as the program.
            return Assembly.Load(new AssemblyName(name.Name!));
#pragma warning restore RS0030 // As above.
        }
        catch (Exception e) when (e is IOException or BadImageFormatException)
        {
            return null;
        }
    }
}
