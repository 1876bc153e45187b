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
