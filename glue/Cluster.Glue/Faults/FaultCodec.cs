using System.Runtime.ExceptionServices;
using Cluster.Glue.Signatures;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Faults;

/// <summary>Turns failures into Fault bodies and back. An application's exception travels as text for every caller and
/// also as an object for callers that can rebuild its type; no serialization constructor ever runs.
/// Stateless.</summary>
internal static class FaultCodec
{
    private const int TextBytesMax = 4 * GlueLimits.ExceptionTextMax;

    public static void WriteGlue(WireBuffer output, GlueException exception)
    {
        output.WriteByte((byte)FaultKind.Glue);
        output.WriteVarint((ulong)exception.Kind);
        output.WriteVarint((ulong)exception.Delivery);
        output.WriteVarint((ulong)exception.Code);
        output.WriteText(Cut(exception.Message));
    }

    public static void WriteCancelled(WireBuffer output, string message)
    {
        output.WriteByte((byte)FaultKind.Cancelled);
        output.WriteText(Cut(message));
    }

    public static void WriteApplication(
        WireBuffer output, Exception exception, ContractSerializer serializer, GlueExceptionDetail detail)
    {
        var start = output.Count;
        try
        {
            WriteWhole(output, exception, serializer, detail);
        }
        catch (WireLimitException)
        {
            // Even the text exceeds the peer's message limit: only the type is sent.
            output.Truncate(start);
            var type = new InvalidOperationException(exception.GetType().FullName);
            WriteWhole(output, type, serializer, GlueExceptionDetail.WithoutStack);
        }
    }

    private static void WriteWhole(
        WireBuffer output, Exception exception, ContractSerializer serializer, GlueExceptionDetail detail)
    {
        output.WriteByte((byte)FaultKind.Application);
        WriteChain(output, exception, detail);
        var graph = new WireBuffer(256, output.BytesMax - output.Count);
        if (TryWriteGraph(graph, exception, serializer, detail))
            output.WriteBlock(graph.WrittenSpan);
        else
            output.WriteVarint(0);
        graph.Reset();
    }

    /// <summary>Rebuilds the failure; invalid bytes become a typed failure too.</summary>
    /// <param name="body">The body of a Fault.</param>
    /// <param name="serializer">The serializer of the contract.</param>
    /// <param name="name">The failed method, for messages.</param>
    public static Exception Read(ReadOnlyMemory<byte> body, ContractSerializer serializer, string name)
    {
        try
        {
            var reader = new WireReader(body.Span);
            switch ((FaultKind)reader.ReadByte("fault kind"))
            {
                case FaultKind.Glue:
                    return ReadGlue(ref reader);
                case FaultKind.Cancelled:
                    return new OperationCanceledException(reader.ReadPlainText(TextBytesMax, "cancellation message"));
                case FaultKind.Application:
                    return ReadApplication(ref reader, body, serializer);
                default:
                    throw new WireException($"fault kind: {body.Span[0]} is not known here.");
            }
        }
        catch (WireException exception)
        {
            return new GlueException(
                GlueErrorKind.Broken,
                GlueDelivery.Unknown,
                GlueErrorCode.ProtocolViolation,
                $"{name} failed with a fault that cannot be read: {exception.Message}",
                exception);
        }
    }

    /// <summary>The code of a failure of Glue itself; Unknown for other failures.</summary>
    public static GlueErrorCode CodeOf(ReadOnlySpan<byte> body) => FindGlue(body)?.Code ?? default;

    /// <summary>The failure, if it is one of Glue itself; null: the application's own.</summary>
    public static GlueException? FindGlue(ReadOnlySpan<byte> body)
    {
        var reader = new WireReader(body);
        return (FaultKind)reader.ReadByte("refusal kind") == FaultKind.Glue ? ReadGlue(ref reader) : null;
    }

    private static GlueException ReadGlue(ref WireReader reader)
    {
        var kind = (GlueErrorKind)reader.ReadLength(int.MaxValue, "kind");
        var delivery = (GlueDelivery)reader.ReadLength(int.MaxValue, "delivery");
        var number = reader.ReadLength(int.MaxValue, "code");
        var message = reader.ReadPlainText(TextBytesMax, "message");
        var code = ErrorCodes.Of(number, ref message);
        return new GlueException(
            Enum.IsDefined(kind) ? kind : GlueErrorKind.Broken,
            Enum.IsDefined(delivery) ? delivery : GlueDelivery.Unknown,
            code,
            message);
    }

    private static Exception ReadApplication(
        ref WireReader reader, ReadOnlyMemory<byte> body, ContractSerializer serializer)
    {
        (var text, var stack) = ReadChain(ref reader);
        var length = reader.ReadBlock("exception graph").Length;
        if (length == 0)
            return text;
        var graph = body.Slice(body.Length - reader.Remaining - length, length);
        return TryReadGraph(graph, serializer, stack) ?? text;
    }

    private static void WriteChain(WireBuffer output, Exception exception, GlueExceptionDetail detail)
    {
        var chain = new List<Exception>();
        var next = exception;
        for (; next is not null && chain.Count < GlueLimits.ExceptionChainMax; next = next.InnerException)
            chain.Add(next);
        output.WriteVarint((ulong)chain.Count);
        foreach (var one in chain)
        {
            output.WriteText(one is RemoteException remote ? remote.TypeName : TypeText.Of(one.GetType()));
            output.WriteText(Cut(MessageOf(one)));
            output.WriteText(detail == GlueExceptionDetail.Full ? Cut(StackOf(one)) : string.Empty);
            ExceptionEntries.Write(output, detail == GlueExceptionDetail.Full ? one : null);
        }
    }

    private static (RemoteException Outermost, string? Stack) ReadChain(ref WireReader reader)
    {
        var count = reader.ReadLength(GlueLimits.ExceptionChainMax, "exception chain");
        var links = new (string Type, string Message, string Stack, KeyValuePair<string, string?>[] Data)[count];
        for (var i = 0; i < count; i++)
        {
            links[i] = (
                reader.ReadPlainText(TextBytesMax, "exception type"),
                reader.ReadText(TextBytesMax, "exception message"),
                reader.ReadText(TextBytesMax, "exception stack"),
                ExceptionEntries.Read(ref reader));
        }

        RemoteException? inner = null;
        for (var i = count - 1; i >= 0; i--)
        {
            var stack = links[i].Stack.Length == 0 ? null : links[i].Stack;
            inner = new RemoteException(links[i].Type, links[i].Message, stack, inner);
            foreach ((var key, var value) in links[i].Data)
                inner.Data[key] = value;
        }

        return (inner ?? throw new WireException("exception chain: empty."), inner.RemoteStackTrace);
    }

    private static bool TryWriteGraph(
        WireBuffer output, Exception exception, ContractSerializer serializer, GlueExceptionDetail detail)
    {
        var writer = serializer.RentWriter();
        try
        {
            writer.Begin(output);
            if (detail != GlueExceptionDetail.Full)
                writer.OmitExceptionStacks();
            writer.Write<Exception>(exception);
            writer.Complete();
            return true;
        }
        catch (Exception)
        {
            // Not on the closed list, too large, or its own code throws while it is written: the text is sent alone.
            writer.Abort();
            return false;
        }
        finally
        {
            serializer.Return(writer);
        }
    }

    private static Exception? TryReadGraph(ReadOnlyMemory<byte> graph, ContractSerializer serializer, string? stack)
    {
        var reader = serializer.RentReader();
        try
        {
            reader.Begin(new ReadOnlySequence<byte>(graph));
            var exception = reader.Read<Exception>();
            reader.Complete();
            if (exception is { StackTrace: null } && stack is not null)
                ExceptionDispatchInfo.SetRemoteStackTrace(exception, stack);
            return exception;
        }
        catch (Exception)
        {
            reader.Abort();
            return null;
        }
        finally
        {
            serializer.Return(reader);
        }
    }

    // Message and StackTrace are virtual: user code may throw in them.
    private static string MessageOf(Exception exception)
    {
        try
        {
            return exception.Message ?? string.Empty;
        }
        catch (Exception)
        {
            return "(the exception's message cannot be read)";
        }
    }

    private static string StackOf(Exception exception)
    {
        try
        {
            var stack = exception is RemoteException remote ? remote.RemoteStackTrace : exception.StackTrace;
            return stack ?? string.Empty;
        }
        catch (Exception)
        {
            return string.Empty;
        }
    }

    private static string Cut(string text) =>
        text.Length <= GlueLimits.ExceptionTextMax ? text : text[..GlueLimits.ExceptionTextMax];
}
