namespace Cluster.Glue.Wire;

/// <summary>
/// The manifest of one contract as its caller knows it: method names, signature hashes and layout fingerprints.
/// Method i gets handle <see cref="FirstHandle"/> + i on this link.
/// </summary>
internal sealed record BindRequest(int FirstHandle, string Contract, BindRequest.Method[] Methods)
{
    private const int NameBytesMax = 8192;

    /// <summary>One method of the manifest.</summary>
    /// <param name="Name">Its name in code.</param>
    /// <param name="SignatureHash">Its name on the wire.</param>
    /// <param name="LayoutFingerprint">The layouts of its types at the caller's.</param>
    /// <param name="TypeArguments">What a generic method is closed over; empty for other methods.</param>
    internal readonly record struct Method(
        string Name, ulong SignatureHash, ulong LayoutFingerprint, string[] TypeArguments);

    public void Write(WireBuffer output)
    {
        output.WriteVarint((ulong)FirstHandle);
        output.WriteText(Contract);
        output.WriteVarint((ulong)Methods.Length);
        foreach (Method method in Methods)
        {
            output.WriteText(method.Name);
            output.WriteUInt64(method.SignatureHash);
            output.WriteUInt64(method.LayoutFingerprint);
            TypeArgumentNames.Write(output, method.TypeArguments);
        }
    }

    public static BindRequest Read(ReadOnlySpan<byte> body)
    {
        var reader = new WireReader(body);
        int first = reader.ReadLength(GlueLimits.MethodHandlesMax, "first handle");
        string contract = reader.ReadText(NameBytesMax, "contract name");
        int count = reader.ReadLength(Math.Min(GlueLimits.MethodHandlesMax - first, reader.Remaining), "method count");
        var methods = new Method[count];
        for (int i = 0; i < count; i++)
        {
            methods[i] = new Method(
                reader.ReadText(NameBytesMax, "method name"),
                reader.ReadUInt64("signature hash"),
                reader.ReadUInt64("layout fingerprint"),
                TypeArgumentNames.Read(ref reader));
        }

        return new BindRequest(first, contract, methods);
    }
}
