namespace Cluster.Glue.Tests.Semantics.Signatures;

public sealed class SignaturesOverLinkTests() : SignatureSemanticTests(SemanticBinding.Link());

public sealed class SignaturesOverUnaryTests() : SignatureSemanticTests(SemanticBinding.Unary());

public sealed class SignaturesInProcessTests() : SignatureSemanticTests(SemanticBinding.InProcess());

public sealed class SignaturesInProcessSerializedTests()
    : SignatureSemanticTests(SemanticBinding.InProcessSerialized());

public sealed class SignaturesOverUnixSocketTests() : SignatureSemanticTests(SemanticBinding.UnixSocket());

public sealed class SignaturesOverMutualTlsTests() : SignatureSemanticTests(SemanticBinding.MutualTls());
