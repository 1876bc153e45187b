using Cluster.Slim.Messages;

namespace Cluster.Slim.Roots;

/// <summary>Writes the roots of messages, with all objects that they reach. Stateless.</summary>
internal static class RootWriter
{
    /// <summary>Writes a message with one root, and hands it over if there is an output. Not inlined into the caller,
    /// whose catch blocks would keep its variables on the stack instead of in registers.</summary>
    /// <param name="writer">The target, at the beginning of a message.</param>
    /// <param name="engine">The engine of the serializer.</param>
    /// <param name="output">The output of the message, or null if it stays in the writer.</param>
    /// <param name="root">The root.</param>
    /// <param name="place">The place of its value.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void WriteMessage(
        SlimWriter writer, SlimEngine engine, IBufferWriter<byte>? output, Root root, ref byte place)
    {
        writer.Start(engine, output);
        writer.BorrowOutput();
        if (root.Lead is { } lead && Unsafe.As<byte, object?>(ref place) is { } value && lead.Fits(value))
            WriteLed(writer, engine, root, lead, value);
        else
            WriteUnled(writer, engine, root, ref place);
        writer.Finish();
    }

    /// <summary>Begins a standalone message, header included.</summary>
    public static void Begin(SlimWriter writer, SlimEngine engine, IBufferWriter<byte>? output)
    {
        writer.Start(engine, output);
        MessageHeader.Write(writer, engine, isSession: false);
    }

    /// <summary>Writes one root and all deferred bodies.</summary>
    public static void Write(SlimWriter writer, SlimEngine engine, Root root, ref byte place)
    {
        writer.Allowed = root.Allowed;
        writer.Doubts.AddRoot();
        root.Write(writer, ref place);
        writer.WriteWaiting();
        if (writer.Doubts.MayExist)
            Settle(writer, engine, root, root.ObjectAt(ref place));
    }

    public static void WriteObject(SlimWriter writer, SlimEngine engine, Root root, object? value)
    {
        writer.Allowed = root.Allowed;
        writer.Doubts.AddRoot();
        root.WriteObject(writer, value);
        writer.WriteWaiting();
        if (writer.Doubts.MayExist)
            Settle(writer, engine, root, value);
    }

    private static void WriteUnled(SlimWriter writer, SlimEngine engine, Root root, ref byte place)
    {
        MessageHeader.Write(writer, engine, isSession: false);
        Write(writer, engine, root, ref place);
        engine.LearnLead(root, ref place);
    }

    private static void WriteLed(SlimWriter writer, SlimEngine engine, Root root, RootLead lead, object value)
    {
        writer.Allowed = root.Allowed;
        lead.CopyTo(ref writer.Reserve(lead.PaddedLength));
        writer.GiveBack(lead.PaddedLength - lead.Length);
        if (lead.Described is not null)
            writer.Types.AddFirst(lead.Serializer, lead.DescribedBytes);
        writer.Doubts.Charge(lead.DescribedBytes);
        writer.Share(lead.IsShareless, lead.LoneElements);
        if (lead.Serializer.IsTracked && !lead.IsShareless)
            writer.Identity.FindOrAdd(value);
        writer.WriteNew(lead.Serializer, value);
        writer.WriteWaiting();
        if (writer.Doubts.MayExist)
            Settle(writer, engine, root, value);
    }

    // Reads the root if a reader might refuse it.
    private static void Settle(SlimWriter writer, SlimEngine engine, Root root, object? value)
    {
        if (writer.Doubts.NeedProof(writer))
            KeyProof.Run(writer, engine, root, value);
    }
}
