using Cluster.Slim.Messages;

namespace Cluster.Slim.Roots;

/// <summary>Reads the roots of messages, with all objects that they reach. Stateless.</summary>
internal static class RootReader
{
    /// <summary>Reads a whole message with one root from pinned memory.</summary>
    public static unsafe T ReadMessage<T>(
        SlimReader reader, SlimEngine engine, Root<T> root, byte* start, int length)
    {
        reader.Begin(engine);
        reader.Start(start, length, 0);
        T value;
        if (!typeof(T).IsValueType && root.Lead is { Serializer.IsReplaceable: false } lead
            && TryTakeLead(reader, root, lead))
        {
            var instance = reader.ReadNew(lead.Serializer);
            value = reader.FinishRoot(Unsafe.As<object, T>(ref instance));
        }
        else
        {
            MessageHeader.Read(reader);
            value = Read(reader, root);
            engine.LearnLead(root, ref Unsafe.As<T, byte>(ref value));
        }

        reader.CheckEnd();
        return value;
    }

    /// <summary>Takes the lead from a message, if the message begins with it.</summary>
    public static bool TryTakeLead(SlimReader reader, Root root, RootLead lead)
    {
        if (!reader.TryTake(lead.Bytes))
            return false;
        reader.Allowed = root.Allowed;
        reader.IsShareless = lead.IsShareless;
        reader.Types.IsKnownSchema = reader.Context.Schema == SlimSchema.Known;
        if (lead.Described is not null)
            reader.Types.AddFirst(lead.Described, lead.DescribedBytes);
        return true;
    }

    public static T Read<T>(SlimReader reader, Root<T> root)
    {
        reader.Allowed = root.Allowed;
        return reader.FinishRoot(root.Read(reader));
    }

    public static object? ReadObject(SlimReader reader, Root root)
    {
        reader.Allowed = root.Allowed;
        return reader.FinishRoot(root.ReadObject(reader));
    }
}
