using Cluster.Slim.Errors;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Graph;

/// <summary>Reads the marks before the content of objects that may become others.</summary>
internal static class TargetMarks
{
    public static TargetMark Read(SlimReader reader)
    {
        var mark = (TargetMark)reader.ReadByte();
        if (mark > (TargetMark.OtherType | TargetMark.BodyNext))
            Throw.Malformed("The mark before the content of an object is unknown.");
        if ((mark & TargetMark.BodyNext) != 0)
            reader.ExpectBody();
        return mark;
    }
}
