using Cluster.Slim.Errors;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Graph;

/// <summary>Reads and checks <see cref="ReplacementFlags"/>.</summary>
internal static class ReplacementFlagsReader
{
    public static ReplacementFlags Read(SlimReader reader)
    {
        var mark = (ReplacementFlags)reader.ReadByte();
        if (mark > (ReplacementFlags.OtherType | ReplacementFlags.BodyNext))
            Throw.Malformed("The mark before the content of an object is unknown.");
        if ((mark & ReplacementFlags.BodyNext) != 0)
            reader.ExpectBody();
        return mark;
    }
}

/// <summary>The byte before the content of an object that may turn into an object of another type. The numbers are part
/// of the format.</summary>
[Flags]
internal enum ReplacementFlags : byte
{
    None = 0,

    /// <summary>A type follows: the object that is built has this type, not the type of the object that was
    /// written.</summary>
    OtherType = 1,

    /// <summary>The body follows the creation part at any depth. The reader must know the real object before another
    /// place refers to it, and a body that waits would come too late.</summary>
    BodyNext = 2,
}
