using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Roots;

/// <summary>The first two bytes of every message: format version, flags.</summary>
internal static class MessageHeader
{
    public static void Write(SlimWriter writer, SerializerContext context, bool isSession)
    {
        var flags = context.Rules.Profile == SlimProfile.InProcess ? ObjectTags.FlagInProcess : 0;
        if (context.Schema == SlimSchema.Known && flags == 0)
            flags |= ObjectTags.FlagKnown;
        if (isSession)
            flags |= ObjectTags.FlagSession;
        writer.WriteByte(ObjectTags.HeaderVersion);
        writer.WriteByte((byte)flags);
    }

    public static void Read(SlimReader reader)
    {
        var types = reader.Types;
        var version = reader.ReadByte();
        if (version != ObjectTags.HeaderVersion)
            Throw.Malformed($"The message begins with {version:x2}; this Slim reads {ObjectTags.HeaderVersion:x2}.");
        var flags = reader.ReadByte();
        if ((flags & ~(ObjectTags.FlagKnown | ObjectTags.FlagInProcess | ObjectTags.FlagSession)) != 0)
            Throw.Malformed($"The message has unknown flags {flags:x2}.");
        if (((flags & ObjectTags.FlagSession) != 0) != types.IsSession)
            Throw.Malformed("A message of a session and one outside of a session cannot be exchanged.");
        if (((flags & ObjectTags.FlagInProcess) != 0) != (reader.Context.Rules.Profile == SlimProfile.InProcess))
            Throw.Malformed("Only messages of the in-process profile can be read by it, and only by it.");
        types.IsKnownSchema = (flags & ObjectTags.FlagKnown) != 0;
    }
}
