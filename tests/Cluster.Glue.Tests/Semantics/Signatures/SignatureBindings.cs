namespace Cluster.Glue.Tests.Semantics.Signatures;

public sealed class SignaturesOverLinkTests : SignatureSemanticTests
{
    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => listenAddress;
}

public sealed class SignaturesOverUnaryTests : SignatureSemanticTests
{
    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => listenAddress;

    public override void ConfigureClient(GlueClientOptions options) => options.Transport = GlueTransport.Unary;
}

public sealed class SignaturesInProcessTests : SignatureSemanticTests
{
    private readonly string _name = "t" + Guid.NewGuid().ToString("N");

    protected override bool Serializes => false;

    protected override string TargetOf(string listenAddress) => "inproc://" + _name;

    protected override void ConfigureBinding(GlueServerOptions options) => options.InProcessName = _name;
}

public sealed class SignaturesInProcessSerializedTests : SignatureSemanticTests
{
    private readonly string _name = "t" + Guid.NewGuid().ToString("N");

    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => "inproc://" + _name;

    protected override void ConfigureBinding(GlueServerOptions options)
    {
        options.InProcessName = _name;
        options.InProcessMode = GlueInProcessMode.Serialize;
    }
}
