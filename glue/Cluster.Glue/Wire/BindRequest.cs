namespace Cluster.Glue.Wire;

/// <summary>The manifest of one contract as its caller knows it: names, and descriptions of the types of arguments and
/// results. Method i gets handle <see cref="FirstHandle"/> + i on this link.</summary>
/// <param name="FirstHandle">The handle of the first method.</param>
/// <param name="Contracts">The contract's name, and its former names.</param>
/// <param name="Types">Descriptions of types, to which the methods refer by index.</param>
/// <param name="Methods">The methods.</param>
internal sealed record BindRequest(int FirstHandle, string[] Contracts, byte[][] Types, BindRequest.Method[] Methods)
{
    private const int NameBytesMax = 8192;
    private const int NamesMax = 64;
    private const int HashesMax = 4096;
    private const int ArgumentsMax = 1024;

    /// <summary>One method of the manifest.</summary>
    public readonly record struct Method
    {
        /// <summary>The name in code.</summary>
        public required string Name { get; init; }

        /// <summary>The hash of the method's signature, and those of its former signatures.</summary>
        public required ulong[] SignatureHashes { get; init; }

        /// <summary>The caller's fingerprint of the layouts of the method's types.</summary>
        public required ulong LayoutFingerprint { get; init; }

        /// <summary>The type arguments of a closed generic method; empty for other methods.</summary>
        public string[] TypeArguments { get; init; }

        /// <summary>For each argument the index of its type description, from 1; 0 for types that are alike
        /// everywhere.</summary>
        public int[] Arguments { get; init; }
    }

    public void Write(WireBuffer output)
    {
        output.WriteVarint((ulong)FirstHandle);
        output.WriteVarint((ulong)Contracts.Length);
        foreach (var contract in Contracts)
            output.WriteText(contract);
        output.WriteVarint((ulong)Types.Length);
        foreach (var type in Types)
            output.WriteBlock(type);
        output.WriteVarint((ulong)Methods.Length);
        foreach (var method in Methods)
            Write(output, method);
    }

    public static BindRequest Read(ReadOnlySpan<byte> body)
    {
        var reader = new WireReader(body);
        var first = reader.ReadLength(GlueLimits.MethodHandlesMax, "first handle");
        var contracts = new string[reader.ReadLength(NamesMax, "name count")];
        for (var i = 0; i < contracts.Length; i++)
            contracts[i] = reader.ReadText(NameBytesMax, "contract name");
        var types = new byte[reader.ReadLength(reader.Remaining, "type count")][];
        for (var i = 0; i < types.Length; i++)
            types[i] = reader.ReadBlock("type description").ToArray();
        var count = reader.ReadLength(Math.Min(GlueLimits.MethodHandlesMax - first, reader.Remaining), "method count");
        var methods = new Method[count];
        for (var i = 0; i < count; i++)
            methods[i] = ReadMethod(ref reader, types.Length);
        return new BindRequest(first, contracts, types, methods);
    }

    /// <summary>The type description of an argument; empty for types that are alike everywhere.</summary>
    public byte[] DescriptionOf(int argument) => argument == 0 ? [] : Types[argument - 1];

    private static void Write(WireBuffer output, Method method)
    {
        output.WriteText(method.Name);
        output.WriteVarint((ulong)method.SignatureHashes.Length);
        foreach (var hash in method.SignatureHashes)
            output.WriteUInt64(hash);
        output.WriteUInt64(method.LayoutFingerprint);
        TypeArgumentNames.Write(output, method.TypeArguments ?? []);
        output.WriteVarint((ulong)(method.Arguments?.Length ?? 0));
        foreach (var argument in method.Arguments ?? [])
            output.WriteVarint((ulong)argument);
    }

    private static Method ReadMethod(ref WireReader reader, int typeCount)
    {
        var name = reader.ReadText(NameBytesMax, "method name");
        var hashes = new ulong[reader.ReadLength(HashesMax, "signature hash count")];
        for (var i = 0; i < hashes.Length; i++)
            hashes[i] = reader.ReadUInt64("bound signature hash");
        var fingerprint = reader.ReadUInt64("bound layout fingerprint");
        var typeArguments = TypeArgumentNames.Read(ref reader);
        var arguments = new int[reader.ReadLength(Math.Min(ArgumentsMax, reader.Remaining), "argument count")];
        for (var i = 0; i < arguments.Length; i++)
            arguments[i] = reader.ReadLength(typeCount, "argument type");
        return new Method
        {
            Name = name,
            SignatureHashes = hashes,
            LayoutFingerprint = fingerprint,
            TypeArguments = typeArguments,
            Arguments = arguments,
        };
    }
}
